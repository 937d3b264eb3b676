// Formats answers like mail.tm: plain JSON for clients that prefer it, JSON-LD with Hydra's vocabulary for all others.
// https://api.mail.tm is built with API Platform, where these formats come from.

import type { Answer } from '#http-parts/answer';
import { writeJson } from '#http-parts/slices';
import { MayflyError } from '../../domain/mayfly-error.ts';
import type { CompatCall } from '../dialect.ts';

/** The part of a request that selects the format. */
export type Asking = Pick<CompatCall, 'headers'>;

export interface Resource {
  readonly type: 'Account' | 'Domain' | 'Message' | 'Source';
  readonly path: string;
  readonly fields: object;
}

export const jsonType = 'application/json; charset=utf-8';
export const jsonLdType = 'application/ld+json; charset=utf-8';

const perPage = 30;

export function wantsPlainJson({ headers: { accept } }: Asking): boolean {
  return typeof accept === 'string' && /^\s*application\/json/i.test(accept);
}

/** Formats an instant in ms since 1970. */
export function toDate(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}+00:00`;
}

/** As a standalone document with its context. */
export function toLinkedData({ type, path, fields }: Resource): object {
  return { '@context': `/contexts/${type}`, '@id': path, '@type': type, ...fields };
}

export async function answerResource(call: Asking, resource: Resource, status = 200): Promise<Answer> {
  const isPlain = wantsPlainJson(call);
  return {
    status,
    headers: { 'content-type': isPlain ? jsonType : jsonLdType },
    body: await writeJson(isPlain ? resource.fields : toLinkedData(resource)),
  };
}

export interface Page {
  /** From 1. */
  readonly number: number;
  readonly first: number;
  readonly size: number;
}

/** @throws MayflyError invalid_parameter */
export function readPage({ query }: Pick<CompatCall, 'query'>): Page {
  const text = query.get('page') ?? '1';
  const number = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (number === 0) throw new MayflyError('invalid_parameter', 'Page should not be less than 1');
  return { number, first: (number - 1) * perPage, size: perPage };
}

export interface Collection {
  readonly type: Resource['type'];
  readonly path: string;
  readonly page: Page;
  /** The entries on the page. */
  readonly members: readonly Resource[];
  /** On all pages. */
  readonly total: number;
}

export async function answerCollection(call: Asking, collection: Collection): Promise<Answer> {
  const { members } = collection;
  const isPlain = wantsPlainJson(call);
  return {
    headers: { 'content-type': isPlain ? jsonType : jsonLdType },
    body: await writeJson(isPlain ? members.map(({ fields }) => fields) : toHydra(collection)),
  };
}

function toHydra({ type, path, page, members, total }: Collection): object {
  return {
    '@context': `/contexts/${type}`,
    '@id': path,
    '@type': 'hydra:Collection',
    'hydra:totalItems': total,
    'hydra:member': members.map((one) => ({ '@id': one.path, '@type': one.type, ...one.fields })),
    ...(total > page.size ? { 'hydra:view': toView(path, page, total) } : {}),
  };
}

function toView(path: string, { number, size }: Page, total: number): object {
  const last = Math.ceil(total / size);
  // Clients read all four; '' stands for none.
  const link = (to: number): string => (to >= 1 && to <= last ? `${path}?page=${to}` : '');
  return {
    '@id': `${path}?page=${number}`,
    '@type': 'hydra:PartialCollectionView',
    'hydra:first': link(1),
    'hydra:last': link(last),
    'hydra:previous': link(number - 1),
    'hydra:next': link(number + 1),
  };
}

export const noContent: Answer = { status: 204, body: null };
