// The logging interface, for an event's name and ids, never a subject, body, token, local part or password.

export interface Logger {
  debug(event: string, fields?: object): void;
  info(event: string, fields?: object): void;
  warn(event: string, fields?: object): void;
  error(event: string, fields?: object): void;
}
