// Filters the addresses by a part of the address or of its label, ignoring case. Pure.

interface Findable {
  readonly email: string;
  readonly label: { readonly value: string };
}

export function findAddresses<T extends Findable>(all: readonly T[], query: string): readonly T[] {
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return all;
  return all.filter(({ email, label }) => `${label.value}\n${email}`.toLowerCase().includes(wanted));
}
