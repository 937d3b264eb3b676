// Messages between a pool and its threads. Plain data only, because structured clone transfers it.

export interface WorkerRequest<Request> {
  readonly id: number;
  readonly request: Request;
}

/** `ready` is sent once, when the worker's code is loaded; from then on time counts against the sender. */
export type WorkerReport<Answer> =
  | { readonly kind: 'ready'; readonly thread: number | undefined }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: Answer }
  /** `detail` contains no part of the request. */
  | { readonly kind: 'error'; readonly id: number; readonly detail: string };
