// Pronounceable names of two words and two digits, such as `amber.fox42`. Easier to guess than random ones (19 bits),
// so they are only suggested where a reader chooses a name.

const first = (
  'amber azure beige black blue brown coral cream cyan ebony gold green grey hazel ivory jade khaki lemon ' +
  'lilac lime mauve mint navy ochre olive opal peach pearl pink plum rose ruby rust sand sepia silver slate ' +
  'snow tan teal topaz umber violet white wheat yellow brave bright calm clear cool eager early fair fast ' +
  'fine fresh glad keen kind late light lucky merry mild neat quick quiet sharp soft sunny swift warm'
).split(' ');
const second = (
  'ant auk bat bear bee boar bug carp cat clam cod cow crab crane crow deer dingo dog dove duck eagle eel ' +
  'elk emu ewe finch fish fly fox frog gecko goat goose gull hare hawk heron horse ibex ibis jay kite kiwi ' +
  'koala lark lion llama lynx mole moose moth mouse mule newt orca otter owl ox panda perch pig pony pug ' +
  'puma quail rabbit ram raven robin seal shark sheep shrew skunk sloth snail stork swan tapir tern tiger ' +
  'toad trout tuna vole wasp whale wolf wren yak zebra'
).split(' ');

/** @param random returns an integer from 0 to below its argument, all equally likely */
export function suggestName(random: (below: number) => number = randomBelow): string {
  const pick = (words: readonly string[]): string => words[random(words.length)] ?? '';
  return `${pick(first)}.${pick(second)}${10 + random(90)}`;
}

function randomBelow(below: number): number {
  const [drawn = 0] = crypto.getRandomValues(new Uint32Array(1));
  // The bias is negligible: 2³² is far more than `below`.
  return drawn % below;
}
