// The consent of whoever removes what live sessions depend on.

export const endSessionsParameter = {
  kind: 'flag',
  description: 'whether to end its live sessions; otherwise it is not removed while there are any',
  option: { name: 'end-sessions' },
} as const;
