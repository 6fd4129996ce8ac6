// What a page does beyond showing itself: it filters the list of objects, and shows the fields
// or the YAML of an object that is opened. All text goes into the page as text; nothing is
// loaded, and nothing of a package is run. A browser without this script has all the rest.
'use strict';
(() => {
  const byID = (id) => document.getElementById(id);

  // el makes an element. Of what is inside, strings become text.
  function el(tag, properties, ...inside) {
    const e = document.createElement(tag);
    for (const [name, value] of Object.entries(properties || {})) {
      if (name in e && name !== 'for') e[name] = value;
      else e.setAttribute(name, value);
    }
    e.append(...inside);
    return e;
  }

  // flowing joins the lines of a text that was broken to fit a page of code; paragraphs and
  // lists stay.
  const flowing = (text) => text.trim().replace(/([^\n])\n(?![\s*•-]|\d+[.)])/g, '$1 ');

  // What Kubernetes says of two fields of every object is not worth half a page.
  const wellKnown = /^(APIVersion defines the versioned schema of|Kind is a string value representing the REST) /;

  const number = (n, noun) => n.toLocaleString('en') + ' ' + noun + (n === 1 ? '' : 's');

  // ---- Data -----------------------------------------------------------------------------

  const chunks = new Map();

  // chunk expands the data of some objects, once.
  function chunk(id) {
    if (!chunks.has(id)) chunks.set(id, expand(byID('c' + id).textContent));
    return chunks.get(id);
  }

  async function expand(text) {
    const raw = atob(text.replace(/-/g, '+').replace(/_/g, '/'));
    const bytes = Uint8Array.from(raw, (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    return new Response(stream).json();
  }

  // ---- Fields ---------------------------------------------------------------------------

  const maxOpen = 1000; // fields that one click opens
  const maxFound = 100; // fields that a search shows
  const maxVisited = 300000; // fields that a search looks at
  let ids = 0;

  // The paths of the fields below a node: [] and {} are steps into lists and maps.
  const below = (path, node, name) => (path ? path + (node.m || '') + '.' : node.m ? node.m + '.' : '') + name;

  // A tree shows the fields of one schema.
  class Tree {
    constructor(data, key, version) {
      this.data = data;
      this.key = key;
      this.version = version;
      this.root = data.nodes[version.k];
      this.list = this.fields(this.root, '');
    }

    link(path) {
      const to = new URLSearchParams({ object: this.key, version: this.version.n });
      if (path) to.set('field', path);
      return '#' + to;
    }

    // fields lists what is below a node.
    fields(node, path) {
      const list = el('ul', { className: 'fields' });
      const required = new Set(node.r);
      (node.n || []).forEach((name, i) => {
        list.append(this.field(this.data.nodes[node.k[i]], name, below(path, node, name), required.has(i)));
      });
      return list;
    }

    field(node, name, path, required) {
      const id = 'f' + ++ids;
      const head = el('span', { className: 'head', id }, el('code', { className: 'field-name' }, name), ' ', el('span', { className: 'type' }, node.t));
      if (required) head.append(' ', el('span', { className: 'required' }, 'required'));
      const about = this.about(node, id + 'd');
      const link = el('a', { className: 'here', href: this.link(path), 'aria-label': 'Link to ' + path }, '#');
      const item = el('li', {});
      item.path = path;
      if (node.n) {
        const summary = el('summary', { 'aria-labelledby': id, 'aria-describedby': id + 'd' }, head, about);
        const details = el('details', { className: 'field' }, summary);
        details.fill = () => {
          details.fill = null;
          details.append(this.fields(node, path));
        };
        details.addEventListener('toggle', () => details.open && details.fill && details.fill());
        item.append(details, link);
      } else {
        item.append(el('div', { className: 'field' }, head, about), link);
      }
      return item;
    }

    about(node, id) {
      const about = el('span', { className: 'about', id });
      const description = this.data.texts[node.d || 0];
      if (description && !wellKnown.test(description)) about.append(el('span', { className: 'description' }, flowing(description)));
      const facts = new Map();
      for (const [name, value] of node.f || []) facts.set(name, [...(facts.get(name) || []), value]);
      for (const [name, values] of facts) {
        const line = el('span', { className: 'fact' }, el('span', { className: 'fact-name' }, name.replace(/enum$/, 'one of')));
        for (const value of values) line.append(' ', el('code', {}, value));
        about.append(line);
      }
      if (node.c) about.append(el('span', { className: 'fact' }, 'What is below is nested too deeply to be shown.'));
      return about;
    }

    // open opens a field and returns its item.
    open(item) {
      const details = item.querySelector(':scope > details');
      if (details) {
        if (details.fill) details.fill();
        details.open = true;
      }
      return details;
    }

    // reveal opens all that a path leads through, and returns the item at its end.
    reveal(path) {
      for (let list = this.list; list;) {
        let next = null;
        for (const item of list.children) {
          if (item.path === path) return item;
          if (path.startsWith(item.path) && /^(\[\]|\{\})*\./.test(path.slice(item.path.length))) {
            if (!next || item.path.length > next.path.length) next = item;
          }
        }
        const details = next && this.open(next);
        list = details && details.querySelector(':scope > ul');
      }
      return null;
    }

    // expand opens all fields, up to a number, and says whether that was all.
    expand() {
      let opened = 0;
      const queue = [this.list];
      while (queue.length) {
        for (const item of queue.shift().children) {
          if (!item.querySelector(':scope > details')) continue;
          if (++opened > maxOpen) return false;
          queue.push(this.open(item).querySelector(':scope > ul'));
        }
      }
      return true;
    }

    collapse() {
      for (const details of this.list.querySelectorAll('details[open]')) details.open = false;
    }

    // find returns the paths of fields in which all words occur, how many there are, and
    // whether all fields were looked at.
    find(words) {
      const found = [];
      let total = 0;
      let visited = 0;
      const stack = [[this.root, '']];
      while (stack.length) {
        const [node, path] = stack.pop();
        const names = node.n || [];
        const next = [];
        for (let i = 0; i < names.length; i++) {
          if (++visited > maxVisited) return { found, total, all: false };
          const field = this.data.nodes[node.k[i]];
          const at = below(path, node, names[i]);
          const last = names[i].toLowerCase();
          const whole = at.toLowerCase();
          if (words.every((w) => whole.includes(w)) && words.some((w) => last.includes(w) || w.includes('.'))) {
            total++;
            if (found.length < maxFound) found.push([at, field.t]);
          }
          if (field.n) next.push([field, at]);
        }
        stack.push(...next.reverse());
      }
      return { found, total, all: true };
    }
  }

  const wordsOf = (text) => text.toLowerCase().split(/\s+/).filter(Boolean);

  // ---- Objects --------------------------------------------------------------------------

  // show fills an object that is opened for the first time.
  function show(details) {
    if (!details.shown) details.shown = fill(details);
    return details.shown;
  }

  async function fill(details) {
    const body = el('div', { className: 'body' });
    details.append(body);
    const id = details.dataset.chunk;
    if (id === '-1') {
      body.append(el('p', { className: 'empty' }, 'Its content is not in this page, which would be too large with it.'));
      return;
    }
    body.append(el('p', { className: 'empty', role: 'status' }, 'Opening…'));
    try {
      const data = await chunk(id);
      const object = data.objects[Number(details.dataset.at)];
      body.replaceChildren();
      if (object.v) definition(details, body, data, object);
      else body.append(el('pre', { className: 'source', tabIndex: 0, role: 'region', 'aria-label': 'YAML of ' + details.dataset.key }, ...yaml(object.y)));
    } catch (e) {
      body.replaceChildren(el('p', { className: 'note error', role: 'alert' }, 'This browser could not expand the data: ' + e.message));
    }
  }

  // yaml sets off the keys and comments of a text that is not huge.
  function yaml(text) {
    const lines = text.split('\n');
    if (lines.length > 5000) return [text];
    const parts = [];
    for (const line of lines) {
      const [, indent, key, rest] = /^([\s-]*)([^\s#"'{[&|>:][^#"'{[|>:]*:)(?=\s|$)(.*)$/.exec(line) || [];
      if (key) parts.push(indent, el('span', { className: 'key' }, key), rest + '\n');
      else if (/^\s*#/.test(line)) parts.push(el('span', { className: 'comment' }, line + '\n'));
      else parts.push(line + '\n');
    }
    return parts;
  }

  // definition shows the versions of a definition, one at a time.
  function definition(details, body, data, object) {
    const key = details.dataset.key;
    const id = details.id;
    const tools = el('div', { className: 'tools' });
    const content = el('div', {});
    let tree = null;
    const use = (version) => {
      tree = null;
      content.replaceChildren();
      if (version.k < 0) {
        content.append(el('p', { className: 'empty' }, 'This version declares no fields.'));
        return;
      }
      tree = new Tree(data, key, version);
      content.append(...searchOf(id, () => tree), tree.list);
      const spec = tree.reveal('spec');
      if (spec) tree.open(spec);
    };
    const select = el('select', { id: id + 'v' });
    for (const v of object.v) select.append(el('option', { value: v.n }, v.n + (v.s ? ' (' + v.s + ')' : '')));
    const start = object.v.findIndex((v) => (v.s || '').includes('storage') || (v.s || '').includes('referenceable'));
    select.selectedIndex = Math.max(start, 0);
    select.addEventListener('change', () => use(object.v[select.selectedIndex]));
    if (object.v.length > 1) tools.append(el('span', {}, el('label', { htmlFor: id + 'v' }, 'Version'), ' ', select));
    const said = el('output', { className: 'muted' });
    tools.append(
      el('button', { type: 'button', onclick: () => tree && (said.textContent = tree.expand() ? '' : 'The first ' + number(maxOpen, 'field') + ' are open.') }, 'Expand all'),
      el('button', { type: 'button', onclick: () => tree && tree.collapse() }, 'Collapse all'),
      said,
      el('a', { className: 'permalink', href: '#' + new URLSearchParams({ object: key }) }, 'Link to this object'),
    );
    body.append(tools, content);
    use(object.v[select.selectedIndex]);
    details.choose = (version, path) => {
      const at = object.v.findIndex((v) => v.n === version);
      if (at >= 0 && at !== select.selectedIndex) {
        select.selectedIndex = at;
        use(object.v[at]);
      }
      return tree && path ? tree.reveal(path) : null;
    };
  }

  // searchOf makes the box that searches the fields of a tree, and the list of what it finds.
  function searchOf(id, tree) {
    const results = el('ul', { className: 'results' });
    const said = el('output', { className: 'muted' });
    const input = el('input', { type: 'search', id: id + 's', autocomplete: 'off', spellcheck: false });
    input.addEventListener('input', () => {
      const words = wordsOf(input.value);
      results.replaceChildren();
      said.textContent = '';
      if (!words.length) return;
      const { found, total, all } = tree().find(words);
      said.textContent = (all ? '' : 'more than ') + number(total, 'field') + (total > found.length ? ', the first ' + found.length + ' are shown' : '');
      for (const [path, type] of found) {
        results.append(el('li', {}, el('a', { href: tree().link(path) }, path), ' ', el('span', { className: 'type' }, type)));
      }
    });
    return [el('div', { className: 'search' }, el('label', { htmlFor: id + 's' }, 'Find a field'), input, said), results];
  }

  // toggle does not bubble, but it can be caught on its way down.
  document.addEventListener('toggle', (e) => {
    if (e.target.classList.contains('object') && e.target.open) show(e.target);
  }, true);

  // ---- Filter ---------------------------------------------------------------------------

  const input = byID('filter');
  const rows = [...document.querySelectorAll('details.object')].map((details) => ({
    item: details.parentElement,
    text: (details.dataset.key + ' ' + details.firstElementChild.textContent).toLowerCase(),
  }));
  const kinds = [...document.querySelectorAll('.kinds')];

  function filter() {
    const words = wordsOf(input.value);
    let shown = 0;
    for (const row of rows) {
      const match = words.every((w) => row.text.includes(w));
      row.item.hidden = !match;
      if (match) shown++;
    }
    for (const kind of kinds) kind.hidden = !kind.querySelector('li:not([hidden]) > .object');
    byID('matches').textContent = words.length ? shown.toLocaleString('en') + ' of ' + number(rows.length, 'object') : number(rows.length, 'object');
  }
  if (input) {
    input.addEventListener('input', filter);
    input.form.addEventListener('submit', (e) => e.preventDefault());
  }

  // ---- Links ----------------------------------------------------------------------------

  // go does what the fragment of the address says: #object=KIND/NAME&version=V&field=PATH,
  // #filter=WORDS, or the place of an object.
  async function go() {
    const fragment = location.hash.slice(1);
    const to = new URLSearchParams(fragment);
    if (input && to.has('filter')) {
      input.value = to.get('filter');
      filter();
      byID('objects').scrollIntoView({ behavior: 'instant' });
    }
    let details = to.has('object')
      ? [...document.querySelectorAll('details.object')].find((d) => d.dataset.key === to.get('object'))
      : /^o\d+$/.test(fragment) && byID(fragment);
    if (!details) return;
    if (details.parentElement.hidden) {
      input.value = '';
      filter();
    }
    details.open = true;
    await show(details);
    let target = details;
    if (to.has('field') || to.has('version')) {
      target = (details.choose && details.choose(to.get('version'), to.get('field'))) || details;
    }
    for (const old of document.querySelectorAll('.target')) old.classList.remove('target');
    target.classList.add('target');
    target.scrollIntoView({ block: target === details ? 'start' : 'center', behavior: 'instant' });
    const focus = target.querySelector('summary') || target.querySelector('a');
    if (focus) focus.focus({ preventScroll: true });
  }
  addEventListener('hashchange', go);
  go();
})();
