// What the main thread and the authentication worker say to each other; plain data, which crosses by structured clone.

import type { Authentication } from '../domain/authentication.ts';
import type { AuthenticationRequest } from './check-authentication.ts';

/** Given to the worker when it starts. */
export interface AuthenticationWorkerData {
  readonly servers: readonly string[];
  readonly timeoutMs: number;
}

export interface AuthenticationJob {
  readonly id: number;
  readonly request: AuthenticationRequest;
}

export type AuthenticationAnswer =
  | { readonly id: number; readonly authentication: Authentication }
  | { readonly id: number; readonly failure: string };
