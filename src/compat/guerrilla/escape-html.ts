// Escapes text for HTML. Used by this dialect's views.

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#039;',
};

function escapeCharacter(character: string): string {
  return entities[character] ?? character;
}

/** Like PHP's htmlspecialchars. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, escapeCharacter);
}

/** Escapes only what opens or closes markup, so that mail can still be sent to the address. */
export function escapeAddress(address: string): string {
  return address.replace(/[<>"]/g, escapeCharacter);
}
