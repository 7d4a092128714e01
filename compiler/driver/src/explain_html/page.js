// The page: it draws the chosen function under the chosen strategy, and answers keys and clicks.

const data = JSON.parse(document.getElementById("data").textContent);
const HUES = 8;
const STRATEGIES = {
  none: "each combinator is a pass of its own",
  stream: "a producer joins its only consumer",
  megiddo: "combinators of equal sizes share passes",
  greedy: "producers join their consumers, then neighbours join",
  ilp: "the least memory traffic, by integer linear programming",
};
const VECTORS = { vectors: "in vectors", llvm: "in vectors by LLVM", scalar: "not in vectors", none: "no loop is left" };
// What a step that is no pass does to the array or function that it names.
const STEPS = {
  sort: "sorts into",
  copy: "copies into",
  "copy-argument": "copies the argument",
  "copy-if-shared": "copies, if it has another owner, into",
  append: "joins arrays into",
  call: "calls",
  external: "calls the C function",
};

const state = { strategy: data.strategy, function: null, open: null };
let current = { entries: [], groups: [] };

const find = (id) => document.getElementById(id);
const functionsOf = (strategy) => data.strategies.find((one) => one.strategy === strategy).functions;
const hue = (pass) => `hue-${(pass - 1) % HUES}`;

function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return made;
}

// A text with names in backticks.
function prose(text) {
  return text.split("`").map((part, at) => (at % 2 ? el("code", {}, part) : part));
}

function names(list) {
  return list.map((name, at) => [at ? ", " : "", el("code", {}, name)]);
}

function chip(pass, attributes = {}, tag = "span") {
  return el(tag, { class: `chip ${hue(pass)}`, ...attributes }, String(pass));
}

// ---- choices ----

function choices() {
  const select = find("function");
  const chosen = functionsOf(state.strategy);
  const isOwn = (one) => fileIndex(one.file) >= 0;
  const library = chosen.filter((one) => !isOwn(one)).map(choiceOf);
  select.replaceChildren(...chosen.filter(isOwn).map(choiceOf), library.length ? el("optgroup", { label: "of the library" }, library) : "");
  select.value = state.function;
  find("function-choice").hidden = chosen.length < 2;
  select.onchange = () => choose({ function: select.value });
  const radios = data.strategies.map(({ strategy }) =>
    el("label", { title: STRATEGIES[strategy] },
      el("input", { type: "radio", name: "strategy", value: strategy, checked: strategy === state.strategy, onchange: () => choose({ strategy }) }),
      el("span", {}, strategy)));
  find("strategies").replaceChildren(find("strategies").firstElementChild, ...radios);
  find("choice").onsubmit = (event) => event.preventDefault();
}

function choiceOf(shown) {
  return el("option", { value: shown.function }, `${shown.function}: ${counted(shown.passes, "pass")}`);
}

// Draws the page anew for another function or strategy. What was open is opened again if it is still there.
function choose(change) {
  Object.assign(state, { open: null }, change);
  const functions = functionsOf(state.strategy);
  const shown = functions.find((one) => one.function === state.function) ?? functions[0];
  if (!shown) return;
  state.function = shown.function;
  current = { shown, entries: preorder(shown.items), groups: cutGroups(shown.cuts) };
  if (change.strategy || change.function === undefined) choicesKeepingFocus();
  status(shown);
  drawPlan(shown);
  drawSource(shown);
  drawArrays(shown);
  drawHints(shown);
  drawComparison();
  reveal(find(`line-${fileIndex(shown.file)}-${shown.start?.line}`), "start");
  remember();
}

function choicesKeepingFocus() {
  const isRadio = document.activeElement?.name === "strategy";
  choices();
  if (isRadio) document.querySelector(`input[value="${state.strategy}"]`).focus();
}

function status(shown) {
  const sums = shown.strategies.find((one) => one.strategy === state.strategy);
  const parts = [
    el("b", {}, counted(shown.passes, "pass")),
    sums ? `, ${counted(sums.reads, "array")} read, ${sums.writes || "none"} written, ${sums.intermediates || "none"} only between passes` : "",
    shown.allocated === null ? ". The number of arrays that a call allocates is not known." : [`. A call allocates at most `, el("code", {}, shown.allocated), " arrays."],
  ];
  find("status").replaceChildren(el("code", {}, shown.function), ` with ${state.strategy} (${STRATEGIES[state.strategy]}): `, ...parts.flat());
}

// ---- the source ----

function fileIndex(file) {
  return data.sources.findIndex((source) => source.file === file);
}

function drawSource(shown) {
  const first = (source) => (source.file === shown.file ? 0 : 1);
  const sources = [...data.sources].sort((a, b) => first(a) - first(b));
  find("files").replaceChildren(...sources.flatMap((source) => file(source, sources.length > 1)));
  mark([]);
}

function file(source, isNamed) {
  const marks = gutter(current.entries, source.file);
  const loops = loopsOf(current.entries, source.file);
  const index = fileIndex(source.file);
  const lines = linesOf(source.text);
  const rows = lines.flatMap((text, at) => [
    ...loops.filter((loop) => loop.from === at + 1).map((loop) => tripsLine(loop, loops)),
    sourceLine(`line-${index}-${at + 1}`, at + 1, text, marks.get(at + 1), loops),
  ]);
  const head = el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Passes"), el("th", { scope: "col" }, "Line"), el("th", { scope: "col" }, "Text")));
  const table = el("table", { class: "source", "data-file": source.file, "aria-label": source.file }, head, el("tbody", {}, rows));
  return isNamed ? [el("h3", {}, el("code", {}, source.file)), table] : [table];
}

function sourceLine(id, line, text, marked, loops) {
  const inside = loops.filter((loop) => loop.from <= line && line <= loop.to);
  return el("tr", { id, class: shade(inside) },
    el("td", { class: "gutter" }, marked ? gutterCell(marked) : null),
    el("th", { scope: "row", class: "number" }, String(line)),
    el("td", {}, el("div", { class: "text" }, frames(inside, loops, (loop) => (loop.to === line ? "last" : "")), el("code", { "data-line": line }, text))));
}

// The upper edge of a loop's frame, with its trip count.
function tripsLine(loop, loops) {
  const inside = [...loops.filter((outer) => outer.depth < loop.depth && outer.from <= loop.from && loop.from <= outer.to), loop];
  return el("tr", { class: shade(inside) }, el("td"), el("td"),
    el("td", {}, el("div", { class: "text" }, frames(inside, loops, (one) => (one === loop ? "first" : "")), el("span", { class: "trips" }, trips(loop.item)))));
}

function shade(inside) {
  return inside.length ? `in-loop depth-${Math.min(inside.length, 3)}` : null;
}

// The left edges of the frames around a line. Every line of a file leaves the same room for them.
function frames(inside, loops, edge) {
  const deepest = Math.max(0, ...loops.map((loop) => loop.depth + 1));
  const edges = inside.map((loop) => el("span", { class: `frame ${edge(loop)}` }));
  const room = Array.from({ length: Math.max(0, deepest - edges.length) }, () => el("span", { class: "room" }));
  return el("span", { class: "frames", "aria-hidden": "true" }, edges, room);
}

// The passes of a line: the first four, and a button for the others.
function gutterCell({ starts, goesOn }) {
  const chips = [...starts].map(([pass, { index, names }]) =>
    chip(pass, { type: "button", "data-stop": "gutter", "data-index": index, "aria-label": `pass ${pass}: ${listed(names)}`, onclick: () => open(`item-${index}`, true) }, "button"));
  const rest = [...goesOn].filter((pass) => !starts.has(pass)).slice(0, 4).map((pass) => el("span", { class: `goes-on ${hue(pass)}`, "aria-hidden": "true" }));
  if (chips.length <= 4) return el("div", {}, rest, chips);
  const hidden = el("span", { hidden: true }, chips.slice(3));
  const more = el("button", { type: "button", class: "more", "data-stop": "gutter", "aria-label": `${chips.length - 3} more passes`, onclick: () => { hidden.hidden = false; more.remove(); hidden.firstElementChild.focus(); } }, `+${chips.length - 3}`);
  return el("div", {}, rest, chips.slice(0, 3), hidden, more);
}

function trips(loop) {
  if (loop.steps !== null) return `${loop.steps} ${loop.steps === "1" ? "turn" : "turns"}`;
  return loop.form === "while" ? "turns while its condition holds" : "an unknown number of turns";
}

// Marks places in the source, each with a class; takes away other marks.
function mark(places) {
  for (const table of document.querySelectorAll("table.source")) {
    const here = places.filter((place) => place.file === table.dataset.file && place.start);
    for (const code of table.querySelectorAll("code[data-line]")) {
      const [line, text] = [Number(code.dataset.line), code.textContent];
      const marks = here.flatMap((place) => {
        const part = covered(place, line, text);
        return part ? [{ ...part, class: `mark ${place.class}` }] : [];
      });
      code.replaceChildren(...pieces(text, [...tokens(text), ...marks]).map(piece));
    }
  }
}

function piece({ text, classes }) {
  const tag = classes.some((one) => one.startsWith("mark")) ? "mark" : "span";
  return classes.length ? el(tag, { class: classes.join(" ") }, text) : document.createTextNode(text);
}

function lineLink(place) {
  const index = fileIndex(place.file);
  if (!place.start || index < 0) return el("span", { class: "where" }, "in the library");
  const id = `line-${index}-${place.start.line}`;
  return el("a", { class: "where", href: `#${id}`, onclick: (event) => { event.preventDefault(); reveal(find(id)); blink(find(id)); } }, `line ${place.start.line}`);
}

function blink(row) {
  row.classList.remove("blink");
  void row.offsetWidth;
  row.classList.add("blink");
}

// The text of a place on its first line.
function excerpt(place) {
  const source = data.sources.find((one) => one.file === place.file);
  if (!source || !place.start) return null;
  const line = linesOf(source.text)[place.start.line - 1] ?? "";
  const part = covered(place, place.start.line, line);
  const text = part ? [...line].slice(part.from, part.to).join("") : "";
  return el("code", { class: "excerpt" }, text + (place.end.line > place.start.line ? " …" : ""));
}

// ---- what runs ----

function drawPlan(shown) {
  const places = cutPlaces(current.groups, current.entries);
  const list = itemList(shown.items, places, "what runs");
  const others = (groups) => el("ol", { class: "items" }, groups.map((group) => cutItem(group, "between")));
  const inside = places.inside.length
    ? el("details", {}, el("summary", { "data-stop": "plan" }, `${counted(places.inside.length, "more reason")} inside calls of the library`), others(places.inside))
    : "";
  find("items").replaceChildren(shown.items.length ? list : el("p", {}, "Nothing here takes a pass over an array."), places.rest.length ? others(places.rest) : "", inside);
  for (const stops of ["plan", "gutter"]) firstStop(stops);
}

function itemList(items, places, label) {
  const rows = folded(items).flatMap((group) => {
    const inner = group.items.flatMap((item) => [
      ...(places.before.get(item.pass) ?? []).map((cut) => cutItem(cut, "before")),
      entryOf(item, places),
      ...(places.after.get(item.pass) ?? []).map((cut) => cutItem(cut, "after")),
    ]);
    const passes = preorder(group.items).map(({ item }) => item.pass).filter(Number.isInteger);
    const isOne = passes.length < 2 && group.items.every((item) => item.item === "pass");
    return group.call && !isOne ? [libraryGroup(group.call.library, passes, inner)] : inner;
  });
  return el("ol", { class: "items", "aria-label": label }, rows);
}

function libraryGroup(library, passes, inner) {
  const [first, last] = [passes[0], passes.at(-1)];
  const words = passes.length === 0 ? "no pass" : passes.length === 1 ? `pass ${first}` : `passes ${first} to ${last}`;
  return el("li", { class: "library" }, el("details", {},
    el("summary", { "data-stop": "plan" }, el("code", {}, library), el("span", { class: "note" }, ` of the library: ${words}`)),
    el("ol", { class: "items", "aria-label": library }, inner)));
}

function entryOf(item, places) {
  const { index } = current.entries.find((entry) => entry.item === item);
  const parts = { pass: passItem, loop: loopItem, if: ifItem, step: stepItem };
  return parts[item.item](item, index, places);
}

function passItem(item, index, places) {
  const number = item.pass === null ? el("span", { class: "chip fill" }, "fill") : chip(item.pass);
  const title = [
    el("span", { class: "sr" }, item.pass === null ? "" : "pass "), number,
    el("span", { class: "name" }, operations(item), item.steps === null ? "" : [" over ", el("code", {}, item.steps)]),
  ];
  const shade = item.pass === null ? "" : hue(item.pass);
  return el("li", { class: `item pass ${shade}`, id: `item-${index}` },
    head(`item-${index}`, title),
    el("p", { class: "tags" }, vectorTag(item), threadTag(item)),
    el("p", { class: "traffic" }, traffic(item)),
    el("div", { class: "body", id: `item-${index}-body`, hidden: true }, passBody(item)),
    inside(item, places));
}

function head(id, title) {
  return el("button", { type: "button", class: "head", "data-stop": "plan", "data-open": id, "aria-expanded": "false", "aria-controls": `${id}-body`, onclick: () => toggle(id) }, title);
}

// The combinators of a pass; those of a library function under its name.
function operations(item) {
  const parts = new Map();
  for (const node of item.nodes) {
    const key = node.library ? `library ${node.library}` : node.name;
    if (!parts.has(key)) parts.set(key, el("span", { class: "node" }, node.library ? el("code", {}, node.library) : named(node)));
  }
  return [...parts.values()].map((part, at) => [at ? ", " : "", part]);
}

// Whether something is called by its operation and its line, since the program gives it no name.
function isUnnamed(name) {
  return /\(line \d+\)/.test(name);
}

function named(node) {
  return [isUnnamed(node.name) ? "" : `${node.kind} `, el("code", {}, node.name)];
}

function vectorTag({ vectors }) {
  if (vectors === null) return null;
  return el("span", { class: `tag ${vectors.state}` }, vectors.state === "vectors" && vectors.lanes ? `${vectors.parts && vectors.parts > 1 ? `${vectors.parts} × ` : ""}${vectors.lanes} lanes` : VECTORS[vectors.state]);
}

function threadTag({ threads }) {
  if (threads === null) return null;
  return el("span", { class: `tag ${threads.shared ? "shared" : "alone"}` }, threads.shared ? "all cores" : "one core");
}

function traffic(item) {
  const part = (word, list) => (list.length ? el("span", {}, `${word} `, names(list)) : null);
  const parts = [part("reads", item.reads), part("writes", item.writes), part("in registers", item.registers)].filter(Boolean);
  return parts.flatMap((one, at) => (at ? ["; ", one] : [one]));
}

function passBody(item) {
  const rows = [
    ["Vectors", item.vectors ? prose(item.vectors.text) : notLookedAt()],
    ["Threads", prose(item.threads ? item.threads.text : "it is inside a step of another pass, and runs on its core")],
    ["Reads", arrayList(item.reads)],
    ["Writes", arrayList(item.writes)],
    ["In registers", arrayList(item.registers)],
    ["Loop nest", el("code", {}, item.procedure)],
  ];
  return [
    el("dl", {}, rows.map(([term, value]) => [el("dt", {}, term), el("dd", {}, value)])),
    el("h4", {}, "Operations"),
    nodeList(item.nodes),
  ];
}

// Only under the strategy that was asked for, LLVM has said what it makes of the passes that are left to it.
function notLookedAt() {
  return ["this pass is left to LLVM, which was not asked; ", el("code", {}, `--fusion=${state.strategy}`), " tells"];
}

function arrayList(list) {
  if (list.length === 0) return "nothing";
  return el("ul", { class: "plain" }, list.map((name) => {
    const array = current.shown.arrays.find((one) => one.name === name);
    return el("li", {}, el("code", {}, name), array ? [" ", el("code", { class: "type" }, array.type), array.bytes === null ? "" : `, ${array.bytes} bytes`] : "");
  }));
}

function nodeList(nodes) {
  const own = nodes.filter((node) => !node.library).map(nodeLine);
  const libraries = [...Map.groupBy(nodes.filter((node) => node.library), (node) => node.library)];
  const calls = libraries.map(([library, inner]) => el("li", {}, el("details", {},
    el("summary", {}, el("code", {}, library), ` of the library: ${counted(inner.length, "operation")}`),
    el("ul", { class: "plain" }, inner.map(nodeLine)))));
  return el("ul", { class: "plain" }, own, calls);
}

function nodeLine(node) {
  return el("li", {}, named(node), ", ", lineLink(node), excerpt(node));
}

function inside(item, places) {
  return innerLists(item).filter((list) => list.items.length).map(({ words, items }) => [
    words ? el("p", { class: "words" }, words) : null,
    itemList(items, places, words || "each turn"),
  ]);
}

function loopItem(item, index, places) {
  const carried = item.carries.length ? [" · carries ", names(item.carries)] : "";
  return el("li", { class: "item loop", id: `item-${index}` },
    head(`item-${index}`, [el("span", { class: "word" }, item.form === "while" ? "while" : "for"), el("span", { class: "name" }, el("b", {}, trips(item)), carried)]),
    el("div", { class: "body", id: `item-${index}-body`, hidden: true },
      el("p", {}, "Its turns run one after the other, since each may need what the one before it made", item.carries.length ? [": ", names(item.carries)] : "", ". ", lineLink(item), excerpt(item))),
    inside(item, places));
}

function ifItem(item, index, places) {
  const branches = [["then", item.then], ["else", item.else]];
  return el("li", { class: "item if", id: `item-${index}` },
    el("p", {}, el("span", { class: "word" }, "if"), " one of two branches runs"),
    branches.map(([word, items]) => el("div", { class: "branch" }, el("p", { class: "words" }, word, items.length ? "" : ": no pass"), items.length ? itemList(items, places, word) : "")));
}

function stepItem(item, index) {
  return el("li", { class: "item step", id: `item-${index}` },
    head(`item-${index}`, [el("span", { class: "word" }, item.what.split("-")[0]), el("span", { class: "name" }, STEPS[item.what] ?? "", " ", el("code", {}, item.name))]),
    el("div", { class: "body", id: `item-${index}-body`, hidden: true }, el("p", {}, item.library ? ["in ", el("code", {}, item.library), " of the library, "] : "", lineLink(item), excerpt(item))));
}

function cutItem(group, side) {
  const id = `cut-${current.groups.indexOf(group)}`;
  return el("li", { class: "cut", id },
    head(id, [el("span", { class: "scissors", "aria-hidden": "true" }, "✂"), el("span", { class: "name" }, cutTitle(group, side))]),
    el("div", { class: "body", id: `${id}-body`, hidden: true }, group.cuts.map(reason)));
}

function cutTitle({ before, after, cuts }, side) {
  const [first, second] = cuts[0].nodes;
  const more = cuts.length > 1 ? ` (${cuts.length} reasons)` : "";
  const part = (pass, name) => (pass === null ? el("code", {}, name) : [`pass ${pass}`]);
  if (side === "before") return ["Why is this not in ", before === null ? ["one pass with ", part(null, first)] : part(before), `?${more}`];
  return ["Why does ", part(before, first), " end before ", part(after, second), `?${more}`];
}

function reason(cut) {
  return el("div", { class: "reason" },
    el("p", {}, prose(cut.text), ". ", el("span", { class: "tag" }, cut.reason)),
    el("ul", { class: "plain" }, cut.places.map((place, at) => el("li", {}, el("span", { class: `letter place-${at}` }, at ? "B" : "A"), el("code", {}, place.name), lineLink(place), excerpt(place)))));
}

// ---- opening and closing ----

function toggle(id) {
  if (state.open === id) close();
  else open(id);
}

function open(id, isFocused = false) {
  close();
  const element = find(id);
  if (!element) return;
  for (let outer = element.closest("details"); outer; outer = outer.parentElement.closest("details")) outer.open = true;
  state.open = id;
  element.classList.add("open");
  find(`${id}-body`).hidden = false;
  const button = element.querySelector("[data-open]");
  button.setAttribute("aria-expanded", "true");
  mark(placesOf(id));
  for (const one of document.querySelectorAll(`[data-index="${id.replace("item-", "")}"]`)) one.setAttribute("aria-current", "true");
  reveal(document.querySelector("table.source mark")?.closest("tr"));
  if (isFocused) {
    stop(button);
    reveal(element, "nearest");
  }
  remember();
}

function close() {
  if (!state.open) return;
  const element = find(state.open);
  element?.classList.remove("open");
  element?.querySelector("[data-open]").setAttribute("aria-expanded", "false");
  const body = find(`${state.open}-body`);
  if (body) body.hidden = true;
  for (const one of document.querySelectorAll("[aria-current]")) one.removeAttribute("aria-current");
  state.open = null;
  mark([]);
  remember();
}

// The places in the source that an open pass, loop, step or cut is about.
function placesOf(id) {
  const [kind, number] = id.split("-");
  if (kind === "cut") {
    return current.groups[number].cuts.flatMap((cut) => cut.places.map((place, at) => ({ ...place, class: `place-${at}` })));
  }
  const { item } = current.entries[number];
  if (item.item === "pass") return item.nodes.map((node) => ({ ...node, class: item.pass === null ? "place" : hue(item.pass) }));
  return [{ ...item, class: "place" }];
}

// Scrolls the box around the source only, if it is a box; else the page, to what was asked for.
function reveal(element, block = "center") {
  const box = element?.closest("#files");
  if (!box) return void element?.scrollIntoView({ block: "nearest" });
  if (getComputedStyle(box).overflowY === "visible" || box.scrollHeight <= box.clientHeight) return;
  const top = element.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop;
  box.scrollTop = top - (block === "start" ? 40 : box.clientHeight / 3);
}

// ---- arrays ----

function drawArrays(shown) {
  const inOrder = [...shown.arrays].sort((a, b) => (a.born ?? -1) - (b.born ?? -1));
  const [own, library] = [inOrder.filter((array) => !array.library), inOrder.filter((array) => array.library)];
  find("lives").replaceChildren(
    own.length ? arrayTable(own, "Arrays of the program") : el("p", {}, "The program itself makes no arrays here."),
    library.length ? el("details", {}, el("summary", {}, `${counted(library.length, "array")} inside calls of the library`), arrayTable(library, "Arrays of the library")) : "");
}

function arrayTable(arrays, label) {
  const columns = ["Array", "Type", "Memory", "Bytes"].map((name) => el("th", { scope: "col", role: "columnheader" }, name));
  const life = el("th", { scope: "col", role: "columnheader", class: "life" }, el("span", { class: "sr" }, "Life"), axis(current.entries));
  return el("table", { class: "lives", role: "table", "aria-label": label },
    el("thead", { role: "rowgroup" }, el("tr", { role: "row" }, columns, life)),
    el("tbody", { role: "rowgroup" }, arrays.map((array) => arrayRow(array, current.entries))));
}

function arrayRow(array, entries) {
  const cell = (kind, ...content) => el("td", { role: "cell", class: kind }, ...content);
  const isRegister = array.memory === "registers";
  return el("tr", { role: "row", class: `memory-${array.memory}` },
    el("th", { scope: "row", role: "rowheader" }, el("code", {}, array.name), array.start && !isUnnamed(array.name) ? [" ", lineLink(array)] : ""),
    cell("type", el("code", {}, array.type)),
    cell("memory", prose(array.text)),
    cell("bytes", isRegister ? "in registers" : array.bytes === null ? "not known" : el("code", {}, array.bytes)),
    cell("life", bar(array, entries), el("span", { class: "words" }, life(array, entries), array.result ? ", a result" : "")));
}

// Items as columns of equal width: the part of them that an array lives through.
function bar(array, entries) {
  const life = lifetime(array, entries);
  if (life === null) return null;
  const width = 100 / Math.max(entries.length, 1);
  const pass = array.born === null ? null : entries[array.born].item.pass;
  const style = `left:${life.from * width}%;width:${(life.to - life.from + 1) * width}%`;
  const ends = `${array.born === null ? "open-left" : ""} ${array.result ? "open-right" : ""}`;
  return el("div", { class: "track", "aria-hidden": "true" }, el("span", { class: `bar ${pass ? hue(pass) : ""} ${array.memory} ${ends}`, style }));
}

// The passes above the bars, and the loops as frames around them.
function axis(entries) {
  const width = 100 / Math.max(entries.length, 1);
  const at = (index, last) => `left:${index * width}%;width:${(last - index + 1) * width}%`;
  const isShown = (pass) => entries.length <= 40 || pass % Math.ceil(entries.length / 40) === 0;
  const marks = entries.map(({ item, index }) => (item.pass && isShown(item.pass) ? el("span", { class: "at", style: at(index, index) }, chip(item.pass)) : null));
  const frames = entries.filter(({ item }) => item.item === "loop").map(({ index, last, around: outer }) => el("span", { class: "loop-frame", style: `${at(index, last)};top:${-2 + 2 * outer.length}px` }));
  return el("div", { class: "axis", "aria-hidden": "true" }, frames, marks);
}

// ---- hints and strategies ----

function drawHints(shown) {
  const hints = shown.hints.map(hint);
  find("changes").replaceChildren(...(hints.length ? hints : [el("p", {}, "No change is known by which this function would read and write less.")]));
}

function hint(found) {
  return el("article", { class: "hint" },
    el("h3", {}, el("span", { class: "tag" }, found.severity), " ", prose(found.message), " ", el("span", { class: "code" }, found.code)),
    el("ul", { class: "plain" }, found.labels.map((label) => el("li", {}, lineLink(label), excerpt(label), label.text ? [" ", prose(label.text)] : ""))),
    found.notes.map((note) => el("p", { class: "note" }, prose(note))),
    found.helps.map(help));
}

function help({ text, edits }) {
  const files = [...Map.groupBy(edits, (edit) => edit.file)];
  return el("div", { class: "help" }, el("p", {}, prose(text)), files.map(([name, changes]) => fileDiff(name, changes)));
}

function fileDiff(name, edits) {
  const source = data.sources.find((one) => one.file === name);
  if (!source) return null;
  const words = { "-": "removed", "+": "added", " ": "" };
  const line = ({ sign, line: number, text }) => el("div", { class: `diff-line ${words[sign]}` },
    el("span", { class: "number", "aria-hidden": "true" }, sign === "+" ? "" : String(number)),
    el("span", { class: "sign", "aria-hidden": "true" }, sign),
    el("span", { class: "sr" }, words[sign] ? `${words[sign]}: ` : ""),
    el(sign === "-" ? "del" : sign === "+" ? "ins" : "span", {}, text || " "));
  return el("figure", { class: "diff", tabindex: "0", role: "group", "aria-label": `change of ${name}` },
    el("figcaption", {}, el("code", {}, name)), diff(source.text, edits).map((lines) => el("div", { class: "hunk" }, lines.map(line))));
}

function drawComparison() {
  const { shown } = current;
  const passes = (strategy) => functionsOf(strategy).find((one) => one.function === shown.function)?.passes ?? "";
  const columns = ["strategy", "passes", "reads", "writes", "intermediates", "traffic"];
  const rows = shown.strategies.map((sums) => {
    const isShown = sums.strategy === state.strategy;
    return el("tr", { class: isShown ? "chosen" : null },
      el("th", { scope: "row" }, sums.strategy, isShown ? el("span", { class: "note" }, " (shown)") : ""),
      [passes(sums.strategy), sums.reads, sums.writes, sums.intermediates, sums.traffic].map((number) => el("td", { class: "count" }, String(number))));
  });
  find("comparison").replaceChildren(
    el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Strategies compared" }, el("table", { class: "sums" },
      el("thead", {}, el("tr", {}, columns.map((name) => el("th", { scope: "col" }, name)))), el("tbody", {}, rows))),
    el("p", { class: "note" }, "Arrays read and written, each once for a pass; traffic weighs them by the known sizes."));
}

// ---- keyboard ----

const stops = (kind) => [...document.querySelectorAll(`[data-stop="${kind}"]`)].filter((one) => one.checkVisibility());

// Tab reaches one element of each kind; the arrows move on from there.
function firstStop(kind) {
  document.querySelectorAll(`[data-stop="${kind}"]`).forEach((one) => one.setAttribute("tabindex", "-1"));
  stops(kind)[0]?.setAttribute("tabindex", "0");
}

function stop(element) {
  const kind = element.dataset.stop;
  document.querySelectorAll(`[data-stop="${kind}"][tabindex="0"]`).forEach((one) => one.setAttribute("tabindex", "-1"));
  element.setAttribute("tabindex", "0");
  element.focus({ preventScroll: true });
  reveal(element, "nearest");
}

function onkey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape" && state.open) return void escape(event);
  const kind = event.target.dataset?.stop;
  if (!kind) return;
  const all = stops(kind);
  const at = all.indexOf(event.target);
  const moves = { ArrowDown: at + 1, ArrowRight: at + 1, ArrowUp: at - 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1 };
  const next = all[moves[event.key]];
  if (!(event.key in moves)) return;
  event.preventDefault();
  if (next) stop(next);
}

// Closes what is open, and goes back to its button.
function escape(event) {
  event.preventDefault();
  const button = find(state.open)?.querySelector("[data-open]");
  close();
  if (button) stop(button);
}

// ---- light and dark, and the address ----

function theme() {
  const root = document.documentElement;
  const isDark = () => (root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  const button = find("theme");
  const show = () => (button.textContent = isDark() ? "Light" : "Dark");
  button.setAttribute("aria-label", "Switch between light and dark");
  button.onclick = () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    show();
  };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);
  show();
}

// The address has what is shown, so that a link leads there.
function remember() {
  const hash = new URLSearchParams({ f: state.function, s: state.strategy, ...(state.open ? { o: state.open } : {}) });
  history.replaceState(null, "", `#${hash}`);
}

function start() {
  const asked = new URLSearchParams(location.hash.slice(1));
  const strategy = data.strategies.some((one) => one.strategy === asked.get("s")) ? asked.get("s") : data.strategy;
  if (asked.get("t")) document.documentElement.dataset.theme = asked.get("t");
  theme();
  document.addEventListener("keydown", onkey);
  state.strategy = strategy;
  state.function = asked.get("f");
  if (functionsOf(strategy).length === 0) return void find("status").append("No function of this program takes a pass over an array.");
  choose({});
  if (asked.get("o")) open(asked.get("o"));
}

start();
