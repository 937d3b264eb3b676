// Spanish texts for having several addresses and opening them elsewhere; part of es.ts.

import type { AddressMessages } from '../messages.ts';

export const addresses: AddressMessages = {
  'label.open': 'Etiqueta',
  'switcher.search': 'Buscar direcciones',
  'switcher.none': 'No se encontraron direcciones.',
  'keep.saveFile': {
    one: 'Guardar {n} dirección',
    many: 'Guardar {n} de direcciones',
    other: 'Guardar {n} direcciones',
  },

  'push.failed': 'No se pudo contactar con el servicio push de este navegador. Inténtalo más tarde.',
};
