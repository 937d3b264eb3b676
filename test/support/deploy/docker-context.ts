// The files that a build of the image is given: those of the repository that .dockerignore lets through.

import { cpSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';

/** Returns whether a path is in the context; the last pattern that fits decides, as in Docker. */
function isInContext(file: string, dockerignore: string): boolean {
  const patterns = dockerignore.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return patterns.reduce((isIn, pattern) => {
    const isException = pattern.startsWith('!');
    return fits(file, isException ? pattern.slice(1) : pattern) ? isException : isIn;
  }, true);
}

/** A pattern fits a path, and everything below. */
function fits(file: string, pattern: string): boolean {
  const source = pattern
    .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('**/', '\u0000')
    .replaceAll('*', '[^/]*')
    .replaceAll('\u0000', '(?:.*/)?');
  return new RegExp(`^${source}(?:/|$)`).test(file);
}

/** Copies the context, links to other packages of the repository included. */
export function copyContext(files: readonly string[], dockerignore: string, to: string): void {
  for (const file of files.filter((name) => isInContext(name, dockerignore) && existsSync(name))) {
    mkdirSync(path.dirname(path.join(to, file)), { recursive: true });
    cpSync(file, path.join(to, file));
  }
}
