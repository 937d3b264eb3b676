// What a pool and its threads say to each other. Plain data only: it crosses threads by structured clone.

export interface WorkerRequest<Request> {
  readonly id: number;
  readonly request: Request;
}

/** `ready` comes once, when the worker's code is loaded; from then on time is counted against the sender. */
export type WorkerReport<Answer> =
  | { readonly kind: 'ready'; readonly thread: number | undefined }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: Answer }
  /** `detail`: holds nothing of the request. */
  | { readonly kind: 'error'; readonly id: number; readonly detail: string };
