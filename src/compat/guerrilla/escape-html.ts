// Text as HTML shows it. Used by this dialect's views.

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

/** As PHP's htmlspecialchars does. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, escapeCharacter);
}

/** Of an address, which stays one that mail can be sent to: what opens or closes markup alone. */
export function escapeAddress(address: string): string {
  return address.replace(/[<>"]/g, escapeCharacter);
}
