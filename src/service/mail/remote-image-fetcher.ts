// The image proxy: fetches a picture that a sender named through the guarded HTTP client, so that the sender learns
// when a message was read but not from where. Off unless the operator turns it on.

import { pictureTypeOf } from '@mayfly/mail-reader';
import type { SafeFetch } from '#networks/safe-fetch';
import { SafeFetchError } from '#networks/safe-fetch-error';
import type { TurnOwner } from '#networks/fair-queue';
import { MayflyError, unavailable } from '../../domain/mayfly-error.ts';
import { FairLane } from '#networks/fair-lane';

export interface FetchedImage {
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

export interface RemoteImageFetcher {
  /**
   * @throws MayflyError not_found when it cannot be fetched, whatever the reason; unavailable when too many are
   * requested
   */
  fetch(asked: ImageRequest): Promise<FetchedImage>;
}

export interface ImageRequest extends TurnOwner {
  /** Untrusted. */
  readonly url: string;
  /** Aborts when the requester has gone. */
  readonly signal: AbortSignal;
}

/** Each may take as long as a slow server is allowed; waiting longer than that would be useless. */
const turnsOptions = {
  refuse: unavailable,
  atOnce: 8,
  perSession: 2,
  perNetwork: 4,
  perSite: 6,
  waitingMax: 256,
  waitMaxMs: 20_000,
  busyMessage: 'Too many remote pictures are being fetched just now.',
};

/** `safeFetch` bounds time, size, ports and addresses, and follows no redirects. */
export function createRemoteImageFetcher(safeFetch: SafeFetch): RemoteImageFetcher {
  const turns = new FairLane(turnsOptions);
  return {
    fetch: ({ url, ...owner }) => {
      const fetchImage = async (): Promise<FetchedImage> => {
        const headers = { accept: 'image/webp,image/png,image/jpeg,image/gif' };
        const answer = await safeFetch({
          url,
          method: 'GET',
          headers,
          read: 'body',
          signal: owner.signal,
        }).catch((error: unknown) => {
          if (error instanceof SafeFetchError) throw cannotBeHad();
          throw error;
        });
        const contentType = answer.status === 200 ? pictureTypeOf(answer.body) : null;
        if (contentType === null) throw cannotBeHad();
        return { contentType, bytes: answer.body };
      };
      return turns.run(owner, fetchImage);
    },
  };
}

function cannotBeHad(): MayflyError {
  return new MayflyError('not_found', 'The picture is not available.', { parameter: 'url' });
}
