// Lets the browser keep the page, so that it opens without the service. Called once at the start; it never stands in
// the way of the first address. A browser without service workers, or a page without TLS, goes on without.

interface ScriptUrlPolicy {
  createScriptURL(url: string): string;
}

/** Trusted Types (W3C), which not every browser has and TypeScript does not know. */
interface TrustedTypesWindow {
  readonly trustedTypes?: {
    createPolicy(name: string, rules: ScriptUrlPolicy): ScriptUrlPolicy;
  };
}

/** The one policy that the page's header field allows. */
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
      // Private windows refuse it; the page works all the same.
      console.warn(error);
    });
  };
  if (document.readyState === 'complete') register();
  else window.addEventListener('load', register, { once: true });
}
