/** By which people and supervisors end the program. */
export const stopSignals = ['SIGTERM', 'SIGINT'] as const;
