// The page as a screen reader gets it: Chromium's accessibility tree, reduced to what is spoken of each element, its
// role, name and state, one a line.
import type { Page } from 'playwright-core';

interface Value {
  readonly value?: unknown;
}

interface Node {
  readonly nodeId: string;
  readonly ignored: boolean;
  readonly role?: Value;
  readonly name?: Value;
  readonly description?: Value;
  readonly value?: Value;
  readonly properties?: readonly { readonly name: string; readonly value: Value }[];
  readonly childIds?: readonly string[];
}

/** Roles that nothing says; what is in them stands for itself. */
const silent = new Set(['none', 'generic', 'RootWebArea', 'paragraph', 'ListMarker', 'LineBreak', 'Section']);
/** Roles whose name is what is in them. */
const named = new Set([
  'button',
  'link',
  'heading',
  'option',
  'tab',
  'radio',
  'checkbox',
  'time',
  'timer',
  'term',
]);
const states = [
  'level',
  'checked',
  'pressed',
  'selected',
  'expanded',
  'disabled',
  'hasPopup',
  'modal',
  'focused',
];

/** Returns the lines of the whole page. `clean` gets each text, to replace what changes from run to run. */
export async function readSpokenTree(page: Page, clean: (text: string) => string): Promise<string> {
  const devtools = await page.context().newCDPSession(page);
  try {
    const answer = await devtools.send('Accessibility.getFullAXTree');
    const nodes = new Map(answer.nodes.map((node): [string, Node] => [node.nodeId, node]));
    const [root] = answer.nodes;
    return root === undefined
      ? ''
      : listLines(nodes, root, '', clean)
          .filter((line) => line.trim() !== '')
          .map((line) => `${line}\n`)
          .join('');
  } finally {
    await devtools.detach();
  }
}

type Nodes = ReadonlyMap<string, Node>;

function listLines(nodes: Nodes, node: Node, indent: string, clean: (text: string) => string): string[] {
  const role = toText(node.role);
  const name = clean(toText(node.name));
  const children = (node.childIds ?? []).flatMap((id) => nodes.get(id) ?? []);
  const listChildren = (deeper: string): string[] =>
    joinTexts(children).flatMap((child) =>
      typeof child === 'string' ? `${deeper}${clean(child)}` : listLines(nodes, child, deeper, clean),
    );
  if (role === 'InlineTextBox') return [];
  if (role === 'StaticText') return name === '' ? [] : [`${indent}${name}`];
  if (node.ignored || (silent.has(role) && name === '')) return listChildren(indent);
  const line = `${indent}${[`[${role}]`, name, ...listStates(node, clean)].filter(Boolean).join(' ')}`;
  if (named.has(role) && name !== '') return [line];
  return [line, ...listChildren(`${indent}  `)];
}

/** Joins texts beside each other, which are read as one. */
function joinTexts(children: readonly Node[]): readonly (Node | string)[] {
  const joined: (Node | string)[] = [];
  for (const child of children) {
    const before = joined.at(-1);
    const isText = toText(child.role) === 'StaticText';
    const text = typeof child.name?.value === 'string' ? child.name.value : '';
    if (!isText) joined.push(child);
    else if (typeof before === 'string') joined[joined.length - 1] = before + text;
    else joined.push(text);
  }
  return joined.filter((one) => typeof one !== 'string' || one.trim() !== '');
}

function listStates(
  { properties = [], description, value }: Node,
  clean: (text: string) => string,
): string[] {
  const own = states.flatMap((state) => {
    const found = toText(properties.find(({ name }) => name === state)?.value);
    // A switch, a box or a menu that is off is said to be so.
    if (found === 'false') return ['checked', 'pressed', 'expanded'].includes(state) ? [`not ${state}`] : [];
    if (found === '') return [];
    return [found === 'true' ? state : `${state} ${found}`];
  });
  const [set, more] = [clean(toText(value)), clean(toText(description))];
  return [...own, set === '' ? '' : `= ${set}`, more === '' ? '' : `— ${more}`].filter((word) => word !== '');
}

function toText(value: Value | undefined): string {
  const inner = value?.value;
  return typeof inner === 'string' || typeof inner === 'boolean' || typeof inner === 'number'
    ? String(inner).trim()
    : '';
}
