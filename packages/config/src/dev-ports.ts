/** Where `mayfly dev` listens, as Mailpit does, unless it is given others. */
export const devPorts = { smtp: 1025, http: 8025 } as const;
