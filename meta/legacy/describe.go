package legacy

// group reads a group.yaml.
func (r *reader) group(file file, text []byte) {
	doc := r.single(file.path, text, "the description of a group")
	if doc == nil {
		return
	}
	f := r.fields(doc)
	r.p.Groups = append(r.p.Groups, &Group{
		Document: doc, Dir: file.dir,
		Group: f.text("group"), Title: f.text("title"),
		OverviewShort: f.overviewShort(), Overview: f.text("overview"), Readme: f.text("readme"),
	})
	f.done()
}

// resource reads a *resource.yaml.
func (r *reader) resource(file file, text []byte) {
	doc := r.single(file.path, text, "the description of a kind")
	if doc == nil {
		return
	}
	f := r.fields(doc)
	r.p.Resources = append(r.p.Resources, &Resource{
		Document: doc, Dir: file.dir, Prefix: file.prefix,
		ID: f.text("id"), Title: f.text("title"), TitlePlural: f.text("titlePlural"), Category: f.text("category"),
		OverviewShort: f.overviewShort(), Overview: f.text("overview"), Readme: f.text("readme"),
	})
	f.done()
}

// uiSchema reads a *ui-schema.yaml.
func (r *reader) uiSchema(file file, text []byte) {
	u := &UISchema{File: file.path, Dir: file.dir, Prefix: file.prefix, Documents: r.documents(file.path, text, false)}
	if len(u.Documents) > 0 {
		r.p.UISchemas = append(r.p.UISchemas, u)
	}
}
