// Portuguese texts for having several addresses and opening them elsewhere; part of pt.ts.

import type { AddressMessages } from '../messages.ts';

export const addresses: AddressMessages = {
  'label.open': 'Etiqueta',
  'switcher.search': 'Buscar endereços',
  'switcher.none': 'Nenhum endereço encontrado.',
  'keep.saveFile': {
    one: 'Salvar {n} endereço',
    many: 'Salvar {n} de endereços',
    other: 'Salvar {n} endereços',
  },

  'push.failed': 'Não foi possível contatar o serviço de push deste navegador. Tente mais tarde.',
};
