"use strict";
// What the page computes from its data: no function here touches the document.

// Every item of a function in the order of execution, with the items around it.
function preorder(items, around = [], found = []) {
  for (const item of items) {
    const entry = { item, index: found.length, around, last: 0 };
    found.push(entry);
    for (const inner of innerLists(item)) preorder(inner.items, [...around, entry], found);
    entry.last = found.length - 1;
  }
  return found;
}

// The lines of a text, which end as the compiler counts them. A byte order mark is no part of the first.
function linesOf(text) {
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\n|\r/);
  if (lines.length > 1 && lines.at(-1) === "") lines.pop();
  return lines;
}

// The lists of items inside an item, each with the words that stand before it.
function innerLists(item) {
  if (item.item === "pass") return [{ words: "each step runs", items: item.items }];
  if (item.item === "loop") return [{ words: "", items: item.items }];
  if (item.item === "if") return [{ words: "then", items: item.then }, { words: "else", items: item.else }];
  return [];
}

// The items of a list, where neighbours that come from one call of the library are one group.
function folded(items) {
  const groups = [];
  for (const item of items) {
    const call = callOf(item);
    const last = groups.at(-1);
    if (call && last?.call?.key === call.key) last.items.push(item);
    else groups.push({ call, items: [item] });
  }
  return groups;
}

// The call of the library from which all of an item comes, or null.
function callOf(item) {
  const own = item.item === "pass" ? item.nodes : item.item === "if" ? [] : [item];
  const calls = own.map(ownCall).concat(innerLists(item).flatMap((inner) => inner.items.map(callOf)));
  const isSame = calls.length > 0 && calls.every((call) => call && call.key === calls[0].key);
  return isSame ? calls[0] : null;
}

function ownCall({ library, file, start }) {
  return library ? { library, key: `${library} ${file} ${start?.byte}` } : null;
}

// The cuts between the same passes, as one entry. Of two passes, the one that runs first is `before`.
function cutGroups(cuts) {
  const groups = new Map();
  for (const cut of cuts) {
    const isSwapped = cut.passes.every(Number.isInteger) && cut.passes[0] > cut.passes[1];
    const [before, after] = isSwapped ? cut.passes.toReversed() : cut.passes;
    const key = `${before ?? cut.nodes[0]}|${after ?? cut.nodes[1]}`;
    if (!groups.has(key)) groups.set(key, { key, before, after, cuts: [] });
    groups.get(key).cuts.push(cut);
  }
  return [...groups.values()];
}

// Where each group of cuts is shown: before its second pass, after its first one, or at the end if neither is among the
// passes that are shown. `inside` has those at the end that are inside one call of the library.
function cutPlaces(groups, entries) {
  const shown = new Set(entries.map(({ item }) => item.pass).filter(Number.isInteger));
  const places = { before: new Map(), after: new Map(), rest: [], inside: [] };
  for (const group of groups) {
    if (shown.has(group.after)) add(places.before, group.after, group);
    else if (shown.has(group.before)) add(places.after, group.before, group);
    else (group.cuts.every(isInOnePlace) ? places.inside : places.rest).push(group);
  }
  return places;
}

function isInOnePlace({ places: [a, b] }) {
  return a.file === b.file && a.start?.byte === b.start?.byte && a.end?.byte === b.end?.byte;
}

function add(map, key, value) {
  if (!map.has(key)) map.set(key, []);
  map.get(key).push(value);
}

// For each line of a file the numbers of the passes that begin there, and of those that go on.
function gutter(entries, file) {
  const lines = new Map();
  const at = (line) => {
    if (!lines.has(line)) lines.set(line, { starts: new Map(), goesOn: new Set() });
    return lines.get(line);
  };
  for (const { item, index } of entries) {
    if (item.item !== "pass" || item.pass === null) continue;
    for (const node of item.nodes.filter((node) => node.file === file && node.start)) {
      const begun = at(node.start.line).starts;
      if (!begun.has(item.pass)) begun.set(item.pass, { index, names: [] });
      begun.get(item.pass).names.push(node.name);
      for (let line = node.start.line + 1; line <= lastLine(node); line++) at(line).goesOn.add(item.pass);
    }
  }
  return lines;
}

// The loops of a file, outer ones first, each once.
function loopsOf(entries, file) {
  const loops = new Map();
  for (const { item, around } of entries) {
    if (item.item !== "loop" || item.file !== file || !item.start) continue;
    const depth = around.filter((outer) => outer.item.item === "loop" && outer.item.file === file).length;
    const key = `${item.start.byte}-${item.end.byte}`;
    if (!loops.has(key)) loops.set(key, { from: item.start.line, to: lastLine(item), depth, item });
  }
  return [...loops.values()];
}

// The last line with a character of a place.
function lastLine(place) {
  return place.end.column > 1 ? place.end.line : Math.max(place.start.line, place.end.line - 1);
}

// The pieces of a line between the ends of its tokens and of its marks, each with the classes of all that cover it.
function pieces(text, ranges) {
  const signs = [...text];
  const ends = new Set([0, signs.length]);
  for (const { from, to } of ranges) ends.add(Math.min(from, signs.length)).add(Math.min(to, signs.length));
  const sorted = [...ends].sort((a, b) => a - b);
  return sorted.slice(1).map((to, at) => {
    const from = sorted[at];
    const covering = ranges.filter((range) => range.from <= from && range.to >= to);
    return { text: signs.slice(from, to).join(""), classes: covering.map((range) => range.class) };
  });
}

// The part of a line, in characters from 0, that a place covers, without its indentation; null if it covers none.
function covered(place, line, text) {
  if (line < place.start.line || line > place.end.line) return null;
  const from = line === place.start.line ? place.start.column - 1 : text.length - text.trimStart().length;
  const to = line === place.end.line ? place.end.column - 1 : [...text].length;
  return to > from ? { from, to } : null;
}

const TOKENS = /(--[^\n]*$)|("(?:[^"\\]|\\.)*")|\b(assert|case|def|do|else|entry|external|for|if|import|in|let|local|loop|match|module|open|then|type|while|with)\b/gu;

// Comments, texts and keywords of a line, as ranges of characters.
function tokens(line) {
  return [...line.matchAll(TOKENS)].map((found) => {
    const from = [...line.slice(0, found.index)].length;
    const kind = found[1] ? "comment" : found[2] ? "text" : "keyword";
    return { from, to: from + [...found[0]].length, class: kind };
  });
}

// A change of a text as lines, with one line around each part that changes.
function diff(text, edits) {
  const lines = linesOf(text);
  return nearEdits(edits).map((near) => {
    const [first, last] = [near[0].start.line, Math.max(...near.map((edit) => edit.end.line))];
    const old = lines.slice(first - 1, last);
    return around(lines, first, changed(old, edited(old, first, near)));
  });
}

// Edits in the order of the text, with those of lines close to each other together.
function nearEdits(edits) {
  const sorted = [...edits].sort((a, b) => a.start.byte - b.start.byte);
  const groups = [];
  for (const edit of sorted) {
    const last = groups.at(-1);
    if (last && edit.start.line - last.at(-1).end.line <= 2) last.push(edit);
    else groups.push([edit]);
  }
  return groups;
}

// Lines after edits, of which the first line has a number.
function edited(lines, first, edits) {
  const starts = [];
  let length = 0;
  for (const line of lines) {
    starts.push(length);
    length += [...line].length + 1;
  }
  const offset = ({ line, column }) => (starts[line - first] ?? length) + column - 1;
  const signs = [...lines.join("\n")];
  let [at, result] = [0, ""];
  for (const edit of edits) {
    result += signs.slice(at, offset(edit.start)).join("") + edit.replacement;
    at = offset(edit.end);
  }
  return (result + signs.slice(at).join("")).split("\n");
}

// Old and new lines, without the equal ones at both ends.
function changed(old, fresh) {
  let [start, end] = [0, 0];
  const shorter = Math.min(old.length, fresh.length);
  while (start < shorter && old[start] === fresh[start]) start++;
  while (end < shorter - start && old.at(-1 - end) === fresh.at(-1 - end)) end++;
  return { skipped: start, removed: old.slice(start, old.length - end), added: fresh.slice(start, fresh.length - end) };
}

function around(lines, first, { skipped, removed, added }) {
  const at = first - 1 + skipped;
  const context = (line) => (line >= 0 && line < lines.length ? [{ sign: " ", line: line + 1, text: lines[line] }] : []);
  return [
    ...context(at - 1),
    ...removed.map((text, place) => ({ sign: "-", line: at + place + 1, text })),
    ...added.map((text, place) => ({ sign: "+", line: at + place + 1, text })),
    ...context(at + removed.length),
  ];
}

// An item in a few words.
function told(item) {
  switch (item.item) {
    case "pass":
      return item.pass === null ? `the fill of ${listed(item.nodes.map((node) => node.name))}` : `pass ${item.pass}`;
    case "loop":
      return item.start ? `the loop on line ${item.start.line}` : "a loop";
    case "if":
      return item.start ? `the if on line ${item.start.line}` : "an if";
    default:
      return item.name;
  }
}

function listed(names) {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

function counted(number, one) {
  return `${number === 0 ? "no" : number} ${one}${number === 1 ? "" : one.endsWith("s") ? "es" : "s"}`;
}

// The first and the last item, as indices, that an array lives through; null where that is not known. A result lives
// to the end.
function lifetime(array, entries) {
  const whole = array.memory === "constant" || array.memory === "argument";
  if (array.born === null && !whole) return null;
  const last = entries.length - 1;
  return { from: array.born ?? 0, to: array.result || array.dies === null ? last : array.dies };
}

// The same in words.
function life(array, entries) {
  if (lifetime(array, entries) === null) return "not known";
  const from = array.born === null ? null : told(entries[array.born].item);
  const to = array.result || array.dies === null ? null : told(entries[array.dies].item);
  if (from !== null && array.born === array.dies && !array.result) return `in ${from}`;
  return `${from === null ? "from the start" : `from ${from}`} ${to === null ? "to the end" : `to ${to}`}`;
}
