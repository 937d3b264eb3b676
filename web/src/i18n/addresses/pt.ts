// Portuguese texts for having several addresses and opening them elsewhere; part of pt.ts.

import type { AddressMessages } from '../messages.ts';

export const addresses: AddressMessages = {
  'label.open': 'Etiqueta',
  'label.title': 'Dar uma etiqueta a este endereço',
  'label.field': 'Etiqueta',
  'label.hint': 'Só você a vê. Ela fica neste navegador.',
  'label.save': 'Salvar',
  'switcher.search': 'Buscar endereços',
  'switcher.none': 'Nenhum endereço encontrado.',
  'keep.title': 'Restaurar ou salvar endereços',
  'keep.token': 'Token ou link',
  'keep.tokenHint': 'Cole o token de um endereço ou um link para a caixa dele.',
  'keep.tokenWrong': 'Isto não é um token nem um link para uma caixa.',
  'keep.tokenOver': 'Esse endereço expirou ou nunca existiu.',
  'keep.open': 'Abrir',
  'keep.opened': '{email} está aberto.',
  'keep.known': '{email} já está aberto aqui.',
  'keep.full': 'Este navegador guarda no máximo {most} endereços. Encerre ou remova um antes.',
  'keep.load': 'Restaurar de um arquivo',
  'keep.loadHint': 'Abra apenas um arquivo que você mesmo salvou.',
  'keep.chooseFile': 'Escolher um arquivo…',
  'keep.file.foreign': 'Este arquivo não contém endereços salvos.',
  'keep.file.newer': 'Este arquivo é de uma versão mais nova desta página. Recarregue e tente de novo.',
  'keep.file.large': 'Este arquivo é grande demais para endereços salvos.',
  'keep.file.many': 'Este arquivo tem mais de {most} endereços, o máximo deste navegador.',
  'keep.summary': '{taken} de {total} restaurados',
  'keep.entry': 'Entrada {place}',
  'keep.result.taken': 'Restaurado',
  'keep.result.known': 'Já aberto',
  'keep.result.over': 'Expirado',
  'keep.result.wrong': 'Não é um endereço',
  'keep.result.full': 'Sem espaço',
  'keep.result.failed': 'Sem resposta. Tente novamente',
  'keep.save': 'Salvar em um arquivo',
  'keep.warning':
    'O arquivo contém as chaves destas caixas. Qualquer pessoa que o tenha pode ler e apagar as mensagens.',
  'keep.saveFile': {
    one: 'Salvar {n} endereço',
    many: 'Salvar {n} de endereços',
    other: 'Salvar {n} endereços',
  },

  'push.choice': 'Também com esta página fechada',
  'push.hint': 'O serviço de push do navegador sabe quando chega um e-mail, mas não de quem nem o que diz.',
  'push.failed': 'Não foi possível contatar o serviço de push deste navegador. Tente mais tarde.',
};
