// Judges what the form around an e-mail field is for. Each sign counts for or against signing up; a field is offered an
// address unless the signs are against it, since forms without any word are mostly the first step of one.
import { captionOf, labelOf, namesOf, splitName, textWithout } from './field-text.ts';
import { closestOf, parentOf, type Root } from './roots.ts';
import { isVisible } from './visible.ts';
import { words } from './words.ts';

const buttons = 'button, input[type=submit], input[type=button], input[type=image], [role=button]';
const levels = 10;

/** Returns the form of a field, or what stands for one: the nearest surroundings that have a button. */
export function scopeOf(field: HTMLInputElement): Element {
  const form = field.form ?? closestOf(field, 'form, [role=form]');
  if (form) return form;
  let at = parentOf(field);
  for (let level = 0; at && level < levels; level += 1, at = parentOf(at)) {
    if (at.querySelector(buttons) || at === document.body) return at;
  }
  return parentOf(field) ?? field;
}

/** Signs for signing up are positive. Below zero the field is left alone. */
export function judge(field: HTMLInputElement, scope: Element): number {
  const inputs = [...scope.querySelectorAll('input')];
  const passwords = inputs.filter(({ type }) => type === 'password');
  const heading = headingOf(scope);
  const caption = primaryCaption(scope);
  const hasPassword = passwords.length > 0;
  return (
    judgePasswords(passwords) +
    judgePurpose(caption, 5) +
    judgePurpose(heading, 4) +
    judgeNames(scope) +
    judgePage(`${heading} ${caption}`) +
    judgeOtherFields(scope, inputs) +
    judgeTalk(scope) +
    (hasPassword ? 0 : judgeNewsletter(field, scope, `${heading} ${caption}`))
  );
}

function judgePasswords(passwords: readonly HTMLInputElement[]): number {
  const has = (token: string): boolean => passwords.some(({ autocomplete }) => autocomplete.includes(token));
  return (
    (has('new-password') ? 6 : 0) +
    (has('current-password') && !has('new-password') ? -7 : 0) +
    (passwords.length > 1 ? 4 : 0)
  );
}

/** A text that says both, such as "Log in or sign up", invites to sign up. */
function judgePurpose(text: string, weight: number): number {
  if (words.reset.test(text) && !words.signUp.test(text)) return -2 * weight;
  if (words.signUp.test(text)) return weight;
  return words.logIn.test(text) ? -weight - 1 : 0;
}

function judgeNames(scope: Element): number {
  const own = `${namesOf(scope)} ${splitName(scope.getAttribute('action') ?? '')} ${splitName(scope.className)} ${scope.getAttribute('aria-label') ?? ''}`;
  const isSearch = scope.matches('[role=search]') || /\bsearch\b/i.test(own);
  return (
    judgePurpose(own, 3) +
    (isSearch ? -8 : 0) +
    (words.otherUse.test(own) || /\bcontact\b/i.test(own) ? -5 : 0)
  );
}

/** The page's own words count less where the form has its own. */
function judgePage(own: string): number {
  // The name of a site that stands last may have "Login" in it.
  const title = document.title
    .split(/ [-–—|·:›»] /)
    .filter((part, at) => at === 0 || part.search(words.logIn) <= 0);
  const page = `${splitName((location.pathname + location.hash).replaceAll('/', ' '))} ${title.join(' - ')}`;
  const isPlain = words.signUp.test(own) || words.logIn.test(own);
  return judgePurpose(page, isPlain ? 1 : 3) + (words.otherUse.test(page) ? -5 : 0);
}

function judgeOtherFields(scope: Element, inputs: readonly HTMLInputElement[]): number {
  const names = inputs.map((input) => `${namesOf(input)} ${input.placeholder}`).join(' ');
  const isPerson =
    /first ?name|last ?name|given ?name|family ?name|full ?name|\buser ?name|birth|company|\bterms\b|nickname|display ?name|vorname|nombre|prénom|nome/i;
  const hasTerms = inputs.some(
    ({ type, labels }) =>
      type === 'checkbox' &&
      /terms|privacy|agb|datenschutz|términos|conditions|termos|услови|الشروط|शर्त|規約|条款/i.test(
        [...(labels ?? [])].map((one) => one.textContent).join(' '),
      ),
  );
  // Applications and requests send papers along.
  const hasFile = inputs.some(({ type }) => type === 'file');
  const isPaid = /\bcc ?(?:number|csc|exp)|card ?number|\bshipping|\bbilling/i.test(names);
  const hasOther = inputs.some((input) => {
    const label = labelOf(input);
    return words.email.test(label) && words.otherPerson.test(label);
  });
  // Some ask why a person wants to join; those ask for a password too.
  const isContact =
    !inputs.some(({ type }) => type === 'password') &&
    [...scope.querySelectorAll('textarea')].some((area) => !/recaptcha/i.test(area.name) && isVisible(area));
  return (
    (isPerson.test(names) ? 2 : 0) +
    (hasTerms ? 3 : 0) +
    (isPaid || hasFile ? -6 : 0) +
    (isContact ? -8 : 0) +
    (hasOther ? -7 : 0)
  );
}

/** The small print of a form: its links lead to the opposite of its own purpose. */
function judgeTalk(scope: Element): number {
  const around = parentOf(scope);
  const isAlone = around !== null && around !== document.body && around.querySelectorAll('form').length <= 1;
  const text = textWithout(isAlone ? around : scope, 'option, textarea');
  const links = [...scope.querySelectorAll('a, button[type=button]')].map(captionOf).join(' | ');
  return (
    (words.hasAccount.test(text) ? 4 : 0) +
    (words.noAccount.test(text) && !words.hasAccount.test(text) ? -4 : 0) +
    (words.reset.test(links) ? -5 : 0) +
    (words.remember.test(text) ? -4 : 0)
  );
}

function judgeNewsletter(field: HTMLInputElement, scope: Element, own: string): number {
  // A dialog says beside its form why it came up.
  const whole = closestOf(scope, 'dialog, [role=dialog]') ?? scope;
  const texts = textWithout(whole, 'label:has(input[type=checkbox]), option, a');
  const names = `${namesOf(scope)} ${splitName(scope.className)} ${splitName(scope.getAttribute('action') ?? '')} ${namesOf(field)} ${captionOf(field)} ${field.placeholder}`;
  const isAside = closestOf(scope, 'footer, aside, [role=contentinfo], [role=complementary]') !== null;
  return (
    (words.newsletter.test(own) || words.newsletter.test(names) ? -9 : 0) +
    (words.newsletter.test(texts) ? -5 : 0) +
    (isAside ? -6 : 0) +
    (words.otherPerson.test(own) ? -7 : 0) +
    (words.otherUse.test(own) || words.otherUse.test(texts.slice(0, 120)) ? -7 : 0)
  );
}

/** The caption of the button that sends the form. */
function primaryCaption(scope: Element): string {
  const all = [...scope.querySelectorAll<HTMLElement>(buttons)].filter(
    (button) => !button.matches('[role=tab], [aria-haspopup], [type=reset]') && isVisible(button),
  );
  const sending = all.filter((button) => button.matches('[type=submit], [type=image], button:not([type])'));
  // "Continue with Google" is a way around the form.
  const own = (sending.length > 0 ? sending : all).filter((button) => !otherAccount.test(captionOf(button)));
  return own.slice(0, 2).map(captionOf).join(' | ');
}

const otherAccount =
  /google|apple|facebook|github|gitlab|microsoft|twitter|linkedin|\bsso\b|saml|passkey|wechat|line\b|yahoo|vk\b/i;

/** The nearest heading: within the form, else before it. */
function headingOf(scope: Element): string {
  const selector = 'h1, h2, h3, h4, legend, [role=heading]';
  const within = scope.querySelector<HTMLElement>(selector);
  if (within && isVisible(within)) return captionOf(within);
  let at: Element | null = scope;
  for (let level = 0; at && level < levels; level += 1, at = parentOf(at)) {
    const root = at.parentElement ?? (at.getRootNode() as Root);
    const before = [...root.querySelectorAll<HTMLElement>(selector)].filter(
      (heading) =>
        at !== null &&
        heading.compareDocumentPosition(at) & Node.DOCUMENT_POSITION_FOLLOWING &&
        isVisible(heading),
    );
    const nearest = before.at(-1);
    if (nearest) return captionOf(nearest);
    const label = at.getAttribute('aria-label');
    if (label !== null && at.matches('dialog, [role=dialog], section')) return label;
  }
  return '';
}
