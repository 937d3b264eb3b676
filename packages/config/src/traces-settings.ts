// Settings of OpenTelemetry traces: the area `traces` of settings.ts.

import { checked, text, type Setting } from '../../values/src/setting.ts';

/** The limit of the HTTP client. */
const urlMaxLength = 2048;

export const tracesSettings = {
  url: checked(
    text(
      '',
      'Destination of traces: the OTLP/HTTP endpoint of a collector, such as `http://127.0.0.1:4318/v1/traces`, which is ' +
        'sent JSON. Empty: no traces, and the code for them is not loaded.',
    ),
    'an http or https URL without user and password, or empty',
    (value) => (value === '' || isEndpoint(value) ? value : undefined),
  ),
  sample: share(
    '1',
    'Share of traces that are kept. None are kept for a request of a trusted proxy whose `traceparent` is not sampled; ' +
      '`traceparent` of other clients is ignored.',
  ),
};

function isEndpoint(value: string): boolean {
  if (value.length > urlMaxLength || !/^https?:\/\//i.test(value) || !URL.canParse(value)) return false;
  const { username, password } = new URL(value);
  return username === '' && password === '';
}

function share(fallback: string, description: string): Setting<number> {
  return checked(text(fallback, description), 'a number from 0 to 1', (value) => {
    const number = Number(value);
    return /^[01](?:\.\d{1,9})?$/.test(value) && number <= 1 ? number : undefined;
  });
}
