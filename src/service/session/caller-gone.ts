// The error of work that is given up because no caller waits for it any more. Those who share the work with a
// caller who has left do it again; no one else sees this error.

import { MayflyError } from '../../domain/mayfly-error.ts';

export class CallerGone extends MayflyError {
  constructor() {
    super('unavailable', 'The caller has gone.');
    this.name = 'CallerGone';
  }
}
