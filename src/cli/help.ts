// The program's help, generated from its commands.

import type { LineCommand } from '#command-line/command';
import { formatCommand } from '#command-line/format-command';
import { lineNouns } from './program-commands.ts';

/** @param words of one command, or the beginning of several such as `domain`; '' for all */
export function formatHelp(words = ''): string {
  return words === '' ? formatAll() : formatSome(words);
}

function formatSome(words: string): string {
  const commands = findCommands(words);
  const isOfInbox = words.split(' ')[0] === 'inbox';
  return `Usage: mayfly ${commands.length === 1 ? words : `${words} COMMAND`}

${commands.flatMap(formatCommand).join('\n')}

${isOfInbox ? ofInbox : ofOthers}
\`mayfly help\` lists every command.
`;
}

/** Returns the commands that begin with these words. */
function findCommands(words: string): LineCommand[] {
  return lineNouns
    .flatMap((noun) => noun.commands)
    .filter((command) => `${command.words ?? ''} `.startsWith(`${words} `));
}

const ofInbox = `It speaks to the service of --url or MAYFLY_URL (http://127.0.0.1:8080), with the API key of
MAYFLY_API_KEY and the token of MAYFLY_TOKEN where these are set.`;
const ofOthers = 'Settings are environment variables; docs/configuration.md lists them.';

function formatAll(): string {
  const commands = lineNouns.flatMap((noun) => noun.commands.filter(({ words }) => words !== undefined));
  return `Mayfly provides temporary e-mail addresses.

Usage: mayfly COMMAND

${commands.flatMap(formatCommand).join('\n')}

The inbox commands speak to the service of --url or MAYFLY_URL (http://127.0.0.1:8080), with the API
key of MAYFLY_API_KEY and the token of MAYFLY_TOKEN where these are set. All others but mailbox,
restore and copy speak to the service that runs on the data folder, or open the store themselves
when none does. Settings are environment variables;
docs/configuration.md lists them. The usual ones:

  MAYFLY_DATA_DIR             folder of the store                    (./data)
  MAYFLY_HTTP_HOST, _PORT     where the interface listens            (127.0.0.1, 8080)
  MAYFLY_SMTP_HOST, _PORT     where mail arrives                     (127.0.0.1, 2525)
  MAYFLY_SECRET_KEY_FILE      key that seals Gmail credentials       (needed with accounts)
  MAYFLY_DOMAINS              domains to add at the first start      (mayfly.test)

Exit status: 0 done, 1 refused or failed, 64 wrong usage (of inbox: 2), 78 wrong setting.
`;
}
