// The first sign that a person is there, for what is loaded ahead of use but not needed to show the page.

export function atFirstSign(act: () => void): void {
  for (const sign of ['pointermove', 'pointerdown', 'keydown']) {
    window.addEventListener(sign, act, { once: true, passive: true });
  }
}
