// Lets the browser keep the page, so that it opens without the service. Called once at the start and never delays the
// first address. Without service workers or TLS the page works as before.

interface ScriptUrlPolicy {
  createScriptURL(url: string): string;
}

/** Trusted Types (W3C), missing in some browsers and in TypeScript's own types. */
interface TrustedTypesWindow {
  readonly trustedTypes?: {
    createPolicy(name: string, rules: ScriptUrlPolicy): ScriptUrlPolicy;
  };
}

/** The only policy that the page's header field allows. */
const policyName = 'mayfly-service-worker';

export function registerServiceWorker(): void {
  if (!('serviceWorker' in navigator)) return;
  const address = new URL('./service-worker.js', document.baseURI).href;
  const rules: ScriptUrlPolicy = {
    createScriptURL: (url) => {
      if (url !== address) throw new TypeError('Only the service worker is loaded by address.');
      return url;
    },
  };
  const policy = (window as TrustedTypesWindow).trustedTypes?.createPolicy(policyName, rules) ?? rules;
  const register = (): void => {
    navigator.serviceWorker.register(policy.createScriptURL(address)).catch((error: unknown) => {
      // Refused in private windows; the page works all the same.
      console.warn(error);
    });
  };
  if (document.readyState === 'complete') register();
  else window.addEventListener('load', register, { once: true });
}
