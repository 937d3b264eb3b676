// Parses request bodies to parameters: one reader per media type, all equivalent. Registered by server-routes.ts.

import type { FastifyInstance, FastifyRequest } from 'fastify';

import { MayflyError } from '../../domain/mayfly-error.ts';
import { requireModestForm, requireModestJson } from '#http-parts/body-limits';
import type { CarriedPairs } from '#http-parts/body';
import { parseJsonMembers } from '#http-parts/json-members';
import { decodeUtf8, parseMultipartFields } from '#http-parts/multipart';
import { parseUrlencoded } from '#http-parts/urlencoded';

type BodyReader = (body: Buffer, contentType: string) => CarriedPairs;

/** Readers by media type. */
const bodyReaders = {
  'application/json': readJson,
  'application/x-www-form-urlencoded': readForm,
  'multipart/form-data': parseMultipartFields,
} as const satisfies Record<string, BodyReader>;

function readJson(body: Buffer): CarriedPairs {
  requireModestJson(body);
  return parseJsonMembers(decodeUtf8(body));
}

function readForm(body: Buffer): CarriedPairs {
  requireModestForm(body);
  return parseUrlencoded(decodeUtf8(body));
}

export function addBodyReaders(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  for (const [mediaType, read] of Object.entries<BodyReader>(bodyReaders)) {
    server.addContentTypeParser(
      mediaType,
      { parseAs: 'buffer' },
      (request: FastifyRequest, body: Buffer, done) => {
        try {
          const contentType = request.headers['content-type'] ?? '';
          requireUtf8(contentType);
          done(null, body.length === 0 ? [] : read(body, contentType));
        } catch (error) {
          done(error as Error);
        }
      },
    );
  }
}

function requireUtf8(contentType: string): void {
  const charset = /;[ \t]*charset="?([^\s";]*)/i.exec(contentType)?.[1];
  if (charset === undefined || /^(?:utf-?8|us-ascii)$/i.test(charset)) return;
  throw new MayflyError('unsupported_media_type', 'Bodies are read as UTF-8 only.');
}
