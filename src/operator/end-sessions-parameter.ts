// The operator's consent to ending live sessions, for commands that remove what they depend on.

export const endSessionsParameter = {
  kind: 'flag',
  description: 'whether to end its live sessions; otherwise it is not removed while there are any',
  option: { name: 'end-sessions' },
} as const;
