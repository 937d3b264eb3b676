// Shell completion of commands and options: a bash script generated from the commands.

import type { LineNoun } from './command.ts';
import { optionsOf } from './line-syntax.ts';

/** Works in zsh too, after `bashcompinit`. */
export function formatCompletion(program: string, nouns: readonly LineNoun[]): string {
  const choices = new Map<string, Set<string>>();
  const add = (before: string, word: string): void => {
    const words = choices.get(before) ?? new Set();
    choices.set(before, words.add(word));
  };
  for (const command of nouns.flatMap(({ commands }) => commands)) {
    const words = command.words?.split(' ') ?? [];
    for (const [at, word] of words.entries()) add(words.slice(0, at).join(' '), word);
    for (const { option } of optionsOf(command)) {
      for (const name of [option.name, option.opposite]) {
        if (name !== undefined) add(words.join(' '), `--${name}`);
      }
    }
  }
  const cases = [...choices].map(([before, words]) => `    '${before}') words='${[...words].join(' ')}' ;;`);
  return `_${program}() {
  local line="\${COMP_WORDS[*]:1:COMP_CWORD-1}" words=''
  case "$line" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -o default -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _${program} ${program}
`;
}
