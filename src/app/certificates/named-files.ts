// The files of certificates that the settings name. Part of the composition root.

import type { Config } from '#config/settings';

export interface NamedFiles {
  readonly certFile: string;
  readonly keyFile: string;
  /** Part of the settings' names. */
  readonly area: 'SMTP' | 'HTTP';
}

/** The files of HTTPS; without its own, those of SMTP. */
export function httpFiles({ http, smtp }: Config): NamedFiles {
  return http.tlsCertFile === ''
    ? { certFile: smtp.tlsCertFile, keyFile: smtp.tlsKeyFile, area: 'SMTP' }
    : { certFile: http.tlsCertFile, keyFile: http.tlsKeyFile, area: 'HTTP' };
}
