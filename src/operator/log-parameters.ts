// The parameters by which the records of mail are searched, the same for each of them.

export const logParameters = {
  host: {
    kind: 'text',
    description: 'the sending host: an address, a block such as 192.0.2.0/24, or the name it gave',
    option: { name: 'host', value: 'HOST' },
    maxLength: 300,
  },
  sender: {
    kind: 'text',
    description: 'the domain of the sender, with those below it',
    option: { name: 'sender', value: 'DOMAIN' },
    maxLength: 300,
  },
  since: { kind: 'time', description: 'from this time on (UTC)', option: { name: 'since', value: 'TIME' } },
  until: { kind: 'time', description: 'until this time (UTC)', option: { name: 'until', value: 'TIME' } },
} as const;
