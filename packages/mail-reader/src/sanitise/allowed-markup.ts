// The allow-list of elements and attributes, as DOMPurify's configuration. Read by sanitise-html alone. Anything not
// named here is removed. Nothing on it runs, loads by itself (except `src` of img and `background`, which hooks decide
// on), takes input, embeds or changes how the rest is parsed.
import type { Config } from 'dompurify';

const words = (list: string): string[] => list.trim().split(/\s+/);

/** Removed with their content; other disallowed elements keep their content. */
export const removedWhole: readonly string[] = words(`
  annotation-xml applet audio base canvas datalist embed foreignobject frame frameset iframe link math meta
  mi mn mo ms mtext noembed noframes noscript object optgroup option param plaintext portal script select slot source
  svg template textarea title track video xmp
`);

/** Scheme of the placeholder for a gap while the markup is being sanitised. */
export const slotScheme = 'mayfly-slot';

/** The accepted form of values that may be URLs. */
export const allowedUri = new RegExp(
  `^(?:(?:https?|mailto|tel|sms|${slotScheme}):|data:image/(?:png|jpe?g|gif|webp);base64,|[^a-z]|[a-z+.-]+(?:[^a-z+.:-]|$))`,
  'i',
);

export const markupConfig: Config = {
  ALLOWED_TAGS: words(`
    a abbr acronym address article aside b bdi bdo big blockquote br caption center cite code col colgroup dd del
    details dfn dir div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd li
    main mark menu nav nobr ol p pre q rp rt ruby s samp section small span strike strong style sub summary sup table tbody td
    tfoot th thead time tr tt u ul var wbr
  `),
  ALLOWED_ATTR: words(`
    abbr align alink alt axis background bgcolor border bordercolor bottommargin cellpadding cellspacing char charoff class clear color colspan compact
    datetime dir face frame headers height hidden href hspace id lang leftmargin link marginheight marginwidth media name
    noshade nowrap open reversed rightmargin role rowspan rules scope size span src start style summary text title
    topmargin type valign value vlink vspace width
  `),
  FORBID_CONTENTS: [...removedWhole],
  ALLOW_ARIA_ATTR: true,
  ALLOW_DATA_ATTR: false,
  ALLOWED_URI_REGEXP: allowedUri,
  /** Prefixes ids, so that none can stand for a property of document or window. */
  SANITIZE_NAMED_PROPS: true,
  SANITIZE_DOM: true,
  SAFE_FOR_XML: true,
  WHOLE_DOCUMENT: true,
  RETURN_DOM: true,
};
