// The error of work that is given up because nobody waits for it any more. Whoever shares the work with a caller who has
// left does it again; nobody else sees this error.

import { MayflyError } from '../domain/mayfly-error.ts';

export class CallerGone extends MayflyError {
  constructor() {
    super('unavailable', 'The caller has gone.');
    this.name = 'CallerGone';
  }
}
