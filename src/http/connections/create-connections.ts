// The connections of one HTTP listener (packages/http-parts), with our answers to those that are refused.

import { HttpConnections, type HttpConnectionsOptions } from '#http-parts/http-connections';
import type { Logger } from '#telemetry/logger';
import { createSampledLog } from '#telemetry/sampled-log';
import { MayflyError } from '../../domain/mayfly-error.ts';
import type { Metrics } from '../../observe/metrics.ts';
import { answerRefused } from '../server/connection-errors.ts';

export interface ConnectionsOptions extends Omit<HttpConnectionsOptions, 'onRefused' | 'answerRefused'> {
  readonly metrics: Metrics;
  readonly log: Logger;
}

const retryAfterSeconds = 5;

export function createConnections({ metrics, log, ...options }: ConnectionsOptions): HttpConnections {
  const sampled = createSampledLog(log);
  return new HttpConnections({
    ...options,
    onRefused: (reason) => {
      metrics.httpRefused.of(reason).value += 1;
      sampled.info('http.connection_refused', { reason });
    },
    answerRefused: (socket, reason) => {
      answerRefused(socket, reason === 'address' ? tooManyConnections() : full());
    },
  });
}

export function tooManyConnections(): MayflyError {
  const message = 'Too many connections from your network are open; close one.';
  return new MayflyError('too_many_connections', message, { retryAfterSeconds });
}

function full(): MayflyError {
  return new MayflyError('unavailable', 'Too many clients are connected just now.', { retryAfterSeconds });
}
