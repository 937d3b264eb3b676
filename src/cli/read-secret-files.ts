// Reads command parameters from files: a password, an OAuth 2 token, a key. Runs in the command's own
// process, with its user's permissions; the service never opens a file for a command.

import type { Given } from '#command-line/command';
import { readFileSync, statSync } from 'node:fs';

import { OperatorError } from '../service/operating/operator-error.ts';
import type { OperatorCall } from './operator-call.ts';

const fileMaxBytes = 64 * 1024;

/** Returns all parameters of the call. @throws OperatorError when a file cannot be read or is invalid */
export function readSecretFiles({ command, given, files }: OperatorCall): Given {
  const contents = Object.entries(files).map(([name, file]) => {
    const text = readSecretFile(file);
    return [name, command.parameters[name]?.option?.readContent?.(text, file) ?? text];
  });
  return { ...given, ...(Object.fromEntries(contents) as Given) };
}

function readSecretFile(file: string): string {
  try {
    if (statSync(file).size > fileMaxBytes) throw new Error('it is too large');
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new OperatorError(`The file ${file} cannot be read: ${(error as Error).message}`);
  }
}
