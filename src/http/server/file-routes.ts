// Routes of operations whose body is a file: read as bytes, and only after the credentials were checked. Used by
// add-routes.ts.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { Answer } from '#http-parts/answer';
import { MayflyError } from '../../domain/mayfly-error.ts';
import { Caller, type CallerSource } from '../caller.ts';
import type { Sender } from '../answers/send-answer.ts';
import type { Operation, OperationContext, SessionOperation } from '../operation.ts';
import { parseMultipart } from '#http-parts/multipart';
import { LargeBodies } from './large-bodies.ts';
import { createFileServing } from './serve-operation.ts';

interface FileRouteParts {
  readonly server: FastifyInstance;
  readonly sender: Sender;
  readonly context: OperationContext;
  readonly source: CallerSource;
  /** Receives the paths. */
  readonly paths: Map<string, string>;
}

/** Beside the file in a form. */
const formBytes = 16 * 1024;
const formPartsMax = 8;
const form = 'multipart/form-data';

interface Admitted {
  readonly caller: Caller;
  readonly serve: (file: Buffer) => Promise<Answer>;
}

type FileOperation = SessionOperation & { readonly takesFile: NonNullable<SessionOperation['takesFile']> };

export function takesFile(operation: Operation): operation is FileOperation {
  return operation.access === 'session' && operation.takesFile !== undefined;
}

/** In a scope of their own, where bodies are not read as parameters. */
export function addFileRoutes(operations: readonly Operation[], parts: FileRouteParts): void {
  const { server, context, paths } = parts;
  const largeBodies = new LargeBodies();
  const own = operations.filter(takesFile);
  for (const { path } of own) paths.set(context.basePath + path, 'POST, OPTIONS');
  void server.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    const types = [
      ...new Set([...own.map((one) => one.takesFile.mediaType), 'application/octet-stream', form]),
    ];
    scope.addContentTypeParser(types, { parseAs: 'buffer' }, (_request, body, parsed) => {
      parsed(null, body);
    });
    for (const operation of own) addFileRoute(operation, { ...parts, server: scope, largeBodies });
    done();
  });
}

function addFileRoute(
  operation: FileOperation,
  { server, sender, context, source, largeBodies }: FileRouteParts & { readonly largeBodies: LargeBodies },
): void {
  const serving = createFileServing(operation, context);
  const bytesMax = context.messageMaxBytes + formBytes;
  const admitted = new WeakMap<FastifyRequest, Admitted>();

  async function admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const caller = new Caller(request, reply, source);
    const { authorization } = request.headers;
    const serve = await serving({ url: request.raw.url ?? '', authorization, caller });
    largeBodies.hold(caller, { request, reply, bytesMax });
    admitted.set(request, { caller, serve });
  }

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const known = admitted.get(request);
    if (!known) throw new Error('The request was not admitted.');
    sender.send(request, reply, await known.serve(fileOf(request)), known.caller);
  }

  server.route({
    method: 'POST',
    url: context.basePath + operation.path,
    bodyLimit: bytesMax,
    onRequest: (request, reply, next) => {
      admit(request, reply).then(() => {
        next();
      }, next);
    },
    handler: (request, reply) => {
      answer(request, reply).catch((error: unknown) => {
        sender.sendError(request, reply, error);
      });
    },
  });
}

/** Returns the body, or the first file of a form. @throws MayflyError malformed_body */
function fileOf({ headers, body }: FastifyRequest): Buffer {
  const bytes = (body as Buffer | undefined) ?? Buffer.alloc(0);
  const contentType = headers['content-type'] ?? '';
  if (!contentType.toLowerCase().startsWith(form)) return bytes;
  const file = parseMultipart(bytes, contentType, formPartsMax).find(
    ({ filename }) => filename !== undefined,
  );
  if (file) return file.bytes;
  throw new MayflyError('malformed_body', 'The form in the body has no file.');
}
