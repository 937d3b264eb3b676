// Operations on the routes by which other services hand over mail. What a route is checked with is shown once, when it
// is made here.

import type { GivenSecrets } from '#inbound/make-secret';
import type { Provider, ProviderSecret } from '#inbound/provider';
import { parseDomainName } from '#mail-receiver/address';
import type { InboundStore } from '../../store/inbound-store.ts';
import { OperatorError } from './operator-error.ts';

export interface ManageInboundDeps {
  readonly inbound: InboundStore;
  /** Seals what a route is checked with, under `server.key`. */
  readonly sealInbound: (route: string, secret: ProviderSecret) => Promise<Uint8Array>;
  /** Returns where a route is called. */
  readonly inboundUrl: (route: string, provider: Provider) => string;
}

/** Untrusted; checked here. */
export interface AddInboundRequest extends GivenSecrets {
  readonly name: string;
  readonly from: Provider;
  /** The authserv-id whose Authentication-Results are believed. */
  readonly trusts?: string | undefined;
}

export interface AddedInbound {
  readonly name: string;
  readonly from: Provider;
  readonly url: string;
  /** The secret of its signatures, or its password. */
  readonly shown: { readonly kind: 'secret' | 'password'; readonly value: string } | undefined;
}

const routesMax = 1000;

/** @throws OperatorError */
export async function addInbound(deps: ManageInboundDeps, request: AddInboundRequest): Promise<AddedInbound> {
  const { from, trusts } = request;
  const name = parseName(request.name);
  if (trusts !== undefined && parseDomainName(trusts) === undefined) {
    throw new OperatorError(
      '--trust takes the name with which the service begins its Authentication-Results.',
    );
  }
  // Seldom used, so it is loaded only here.
  const { makeSecret } = await import('#inbound/make-secret');
  const made = makeSecret(from, request);
  if (typeof made === 'string') throw new OperatorError(made);
  if ((await deps.inbound.listRoutes()).length >= routesMax) {
    throw new OperatorError(`There are ${routesMax} routes: no more are kept.`);
  }
  const sealed = await deps.sealInbound(name, made.kept);
  const isAdded = await deps.inbound.addRoute({ name, provider: from, trusts: trusts ?? null, sealed });
  if (!isAdded) {
    throw new OperatorError(`There is a route ${name} already; remove it or choose another name.`);
  }
  return { name, from, url: deps.inboundUrl(name, from), shown: made.shown };
}

/** @throws OperatorError */
export async function removeInbound({ inbound }: ManageInboundDeps, text: string): Promise<string> {
  const name = parseName(text);
  if (!(await inbound.removeRoute(name))) throw new OperatorError(`There is no route ${name}.`);
  return name;
}

function parseName(text: string): string {
  if (/^[a-z0-9][a-z0-9-]{0,39}$/.test(text)) return text;
  throw new OperatorError('A route’s name is 1 to 40 lower-case letters, digits and hyphens.');
}
