"""Reads packages in OCI layouts whose base layer is annotated, and nothing else: an
example of a program that the suite can hold to its cases, in another language."""
import gzip, hashlib, io, json, os, re, sys, tarfile

KEY = "io.crossplane.xpkg"


def refuse(code, message):
    print(json.dumps({"error": {"code": code, "message": message}}))
    sys.exit(2)


def blob(layout, descriptor):
    digest = descriptor["digest"]
    path = os.path.join(layout, "blobs", *digest.split(":"))
    if not os.path.exists(path):
        refuse("not-found", digest + " is not there")
    with open(path, "rb") as f:
        data = f.read()
    if "sha256:" + hashlib.sha256(data).hexdigest() != digest:
        refuse("digest", "the content of " + digest + " is another")
    return data


def platform(entry):
    p = entry.get("platform")
    return p and p["os"] + "/" + p["architecture"]


def choose(layout, descriptor, wanted):
    manifest = json.loads(blob(layout, descriptor))
    if "manifests" not in manifest:
        return descriptor, manifest
    entries = manifest["manifests"]
    real = [e for e in entries if "vnd.docker.reference.type" not in e.get("annotations", {})]
    if not real:
        refuse("not-a-package", "there is only an attestation" if entries else "the index has no manifest")
    if len(real) > 1:
        fits = [e for e in real if platform(e) == wanted]
        if not fits:
            refuse("not-found", "no image for %s among %s" % (wanted, [platform(e) for e in real]))
        real = fits
    chosen, manifest = choose(layout, real[0], wanted)
    return dict(chosen, platform=chosen.get("platform") or real[0].get("platform")), manifest


def main():
    job, args = sys.argv[1], sys.argv[2:]
    wanted = args[args.index("-platform") + 1] if "-platform" in args else "linux/amd64"
    if job != "inspect" or not os.path.isdir(args[-1]):
        refuse("internal", "only layouts are read")
    layout = args[-1]
    with open(os.path.join(layout, "index.json"), encoding="utf-8") as f:
        top = json.load(f)["manifests"][0]
    chosen, manifest = choose(layout, top, wanted)
    bases = [l for l in manifest["layers"] if l.get("annotations", {}).get(KEY) == "base"]
    if len(bases) != 1:
        refuse("not-a-package", "one base layer is expected: %s" % [l["digest"] for l in bases])
    data = blob(layout, bases[0])
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        for entry in archive:
            if entry.name in ("package.yaml", "./package.yaml") and entry.isfile():
                text = archive.extractfile(entry).read().decode()
                name = re.search(r"^  name: (.*)$", text, re.M).group(1)
                print(json.dumps({"name": name, "method": "annotation", "digest": chosen["digest"],
                                  "platform": platform(chosen), "diagnostics": [], "objects": []}))
                return
    refuse("not-a-package", "no package.yaml in " + bases[0]["digest"])


main()
