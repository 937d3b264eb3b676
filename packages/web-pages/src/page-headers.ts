// Security header fields of the page. The page holds session tokens: code injected through a bug must be unable to run,
// to send anything, or to reach another window.

import { hstsHeaders } from '../../http-parts/src/hsts.ts';

const refusedFeatures = [
  'accelerometer',
  'camera',
  'clipboard-read',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'gamepad',
  'geolocation',
  'gyroscope',
  'hid',
  'idle-detection',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'picture-in-picture',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'usb',
  'xr-spatial-tracking',
];
const permissions = ['clipboard-write=(self)', ...refusedFeatures.map((feature) => `${feature}=()`)].join(
  ', ',
);

/** Sources of a policy that allow what stands in the page itself. */
export interface InlineHashes {
  readonly script: string;
  readonly style: string;
}

/** Injected code has another hash than ours, so it can run no more than without them. */
function createPolicy({ script, style }: InlineHashes): string {
  return [
    "default-src 'none'",
    `script-src 'self' ${script}`,
    `style-src 'self' ${style}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "media-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    // For messages, each in a document with its own policy.
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    // The page registers its service worker through it, and turns no other text into code.
    'trusted-types mayfly-service-worker',
  ].join('; ');
}

/** For the page itself. `publicUrl`: an origin, or ''. */
export function pageHeaders(publicUrl: string, inline: InlineHashes): Record<string, string> {
  return {
    // A proxy that shortens or rewrites the page gives its script another hash (RFC 9111 §5.2.2.6 forbids both).
    'cache-control': 'no-cache, no-transform',
    'content-security-policy': createPolicy(inline),
    'permissions-policy': permissions,
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    // Programs get JSON at the same address.
    vary: 'Accept',
    ...hstsHeaders(publicUrl),
  };
}

/** For a file named by its content's hash. */
export const hashedFileHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'public, max-age=31536000, immutable',
  'cross-origin-resource-policy': 'same-origin',
};

/** For a file at a lasting address. */
export const lastingFileHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-cache',
  'cross-origin-resource-policy': 'same-origin',
};

/** A worker has its own file's policy: it may only fetch the page's files. */
export const serviceWorkerHeaders: Readonly<Record<string, string>> = {
  ...lastingFileHeaders,
  'content-security-policy': "default-src 'none'; connect-src 'self'; frame-ancestors 'none'",
};
