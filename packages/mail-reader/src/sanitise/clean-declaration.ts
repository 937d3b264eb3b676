// Cleans one declaration of a sender's CSS, for clean-css: keeps what is safe of its value. A picture becomes whatever
// the choice makes of its address, or goes, and the colour and place beside it stay.
import * as cssTree from 'css-tree';
import {
  allowedFunctions,
  allowedPositions,
  allowedProperties,
  pictureFunctions,
  pictureProperties,
  type PictureProperty,
  shownPictures,
  textProperties,
} from './allowed-css.ts';
import type { ChoosePicture } from './image-source.ts';
import { viewportUnit } from './viewport-unit.ts';

interface Placing {
  readonly choose: ChoosePicture;
  readonly placed: Set<cssTree.CssNode>;
}

/** In a custom property, which may become a part of any other. */
const customPictures: PictureProperty = { loses: 'picture', none: 'none' };

/** Cleans the declaration in place and reports whether anything of it is left. */
export function cleanDeclaration(node: cssTree.CssNode, choosePicture: ChoosePicture): boolean {
  if (node.type !== 'Declaration' || node.value.type !== 'Value') return false;
  const property = node.property.toLowerCase();
  const isCustom = /^--[-\w]+$/.test(property);
  if (!isCustom && !allowedProperties.has(property)) return false;
  if (typeof node.important === 'string') return false;
  const { value } = node;
  if (!isKnown(value, isCustom || textProperties.has(property))) return false;
  if (cssTree.find(value, isPicture) !== null) {
    const rule = isCustom ? customPictures : pictureProperties.get(property);
    if (rule === undefined) return false;
    const isShown = isCustom || shownPictures.has(property);
    const placing: Placing = { choose: isShown ? choosePicture : () => undefined, placed: new Set() };
    placePictures(value, rule, placing);
    if (cssTree.find(value, (part) => isPicture(part) && !placing.placed.has(part)) !== null) return false;
  }
  nameViewportHeights(value);
  const text = cssTree.generate(value);
  return !text.includes('<') && (property !== 'position' || allowedPositions.has(text.toLowerCase()));
}

function isPicture(node: cssTree.CssNode): boolean {
  return node.type === 'Url' || (node.type === 'Function' && pictureFunctions.has(node.name.toLowerCase()));
}

/** Leaves aside what a function that draws a picture contains, none of which is kept. */
function isKnown(value: cssTree.Value, allowsText: boolean): boolean {
  let isFine = true;
  cssTree.walk(value, {
    enter(this: cssTree.WalkContext & { skip: symbol; break: symbol }, node: cssTree.CssNode) {
      if (isPicture(node)) return this.skip;
      isFine &&= isAllowedInValue(node, allowsText);
      return isFine ? undefined : this.break;
    },
  });
  return isFine;
}

/** Refuses any escape in a name (`u\72l`): browsers decide what it spells. */
function isAllowedInValue(node: cssTree.CssNode, allowsText: boolean): boolean {
  switch (node.type) {
    case 'Function':
      return allowedFunctions.has(node.name.toLowerCase());
    case 'String':
      return allowsText;
    case 'Identifier':
      return !node.name.includes('\\');
    case 'Dimension':
      return !node.unit.includes('\\');
    case 'Hash':
      return !node.value.includes('\\');
    case 'Value':
    case 'Number':
    case 'Percentage':
    case 'Operator':
    case 'Parentheses':
    case 'Brackets':
    case 'WhiteSpace':
      return true;
    default:
      return false;
  }
}

/** Leaves those that are where no picture can be taken out. */
function placePictures(value: cssTree.Value, { loses, none }: PictureProperty, placing: Placing): void {
  const empty: cssTree.CssNode = { type: 'Identifier', name: none };
  const layers = splitLayers(value.children.toArray()).map((layer) => {
    const kept: cssTree.CssNode[] = [];
    for (const node of layer) {
      const placed = placePicture(node, placing);
      if (placed !== undefined) kept.push(placed);
    }
    return loses === 'layer' && kept.length < layer.length ? [] : kept;
  });
  const left = loses === 'layer' ? layers.filter((layer) => layer.length > 0) : layers;
  const comma: cssTree.CssNode = { type: 'Operator', value: ',' };
  const nodes = (left.length === 0 ? [[]] : left).flatMap((layer, i) => [
    ...(i === 0 ? [] : [comma]),
    ...(layer.length === 0 ? [empty] : layer),
  ]);
  value.children = new cssTree.List<cssTree.CssNode>().fromArray(nodes);
}

function splitLayers(nodes: readonly cssTree.CssNode[]): cssTree.CssNode[][] {
  const layers: cssTree.CssNode[][] = [[]];
  for (const node of nodes) {
    if (node.type === 'Operator' && node.value === ',') layers.push([]);
    else layers.at(-1)?.push(node);
  }
  return layers;
}

/** Returns the node to keep. */
function placePicture(node: cssTree.CssNode, placing: Placing): cssTree.CssNode | undefined {
  if (isPicture(node)) {
    // Browsers choose one of a set; the first is for an ordinary screen.
    const first = cssTree.find(node, ({ type }) => type === 'Url' || type === 'String');
    const url = first?.type === 'Url' || first?.type === 'String' ? placing.choose(first.value) : undefined;
    if (url === undefined) return undefined;
    const shown: cssTree.CssNode = { type: 'Url', value: url };
    placing.placed.add(shown);
    return shown;
  }
  // The fallback of a missing variable may be a picture too.
  if (node.type === 'Function' && node.name.toLowerCase() === 'var') {
    node.children.forEach((part) => {
      if (part.type === 'Value') placePictures(part, customPictures, placing);
    });
  }
  return node;
}

const viewportHeights: ReadonlySet<string> = new Set(['vh', 'dvh', 'svh', 'lvh', 'vb', 'dvb', 'svb', 'lvb']);

/** Writes `50vh` as `calc(var(--window-hundredth,1vh)*50)`. */
function nameViewportHeights(value: cssTree.CssNode): void {
  if (!('children' in value) || value.children === null) return;
  const { children } = value as { children: cssTree.List<cssTree.CssNode> };
  children.forEach((node, item) => {
    if (node.type === 'Function' && isViewportVariable(node)) return;
    if (node.type === 'Dimension' && viewportHeights.has(node.unit.toLowerCase())) {
      const text = `calc(var(${viewportUnit},1vh)*${node.value})`;
      const named = cssTree.parse(text, { context: 'value', parseCustomProperty: true });
      if (named.type === 'Value') children.replace(item, named.children);
    } else nameViewportHeights(node);
  });
}

function isViewportVariable({ name, children }: cssTree.FunctionNode): boolean {
  const first = children.first;
  return name.toLowerCase() === 'var' && first?.type === 'Identifier' && first.name === viewportUnit;
}
