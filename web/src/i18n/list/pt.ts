// Portuguese texts for finding messages and acting on several of them; part of pt.ts.

import type { ListMessages } from '../messages.ts';

export const list: ListMessages = {
  'search.label': 'Buscar mensagens',
  'search.none': 'Nenhuma mensagem encontrada.',
  'search.recipient': 'Destinatário',
  'search.allRecipients': 'Todos os destinatários',
  'search.tag': 'Etiqueta',
  'search.allTags': 'Tudo',
  'search.searching': 'Pesquisando no texto das mensagens…',
  'search.partial':
    'Não foi possível pesquisar no texto das mensagens; só em remetentes, assuntos e códigos.',
  'preview.show': 'Pré-visualizar {name}',
  'preview.document': 'Pré-visualizar',
  'preview.broken': 'Não é possível mostrar esta imagem. Baixe-a.',
  'choose.start': 'Selecionar mensagens',
  'choose.stop': 'Sair da seleção',
  'choose.label': 'Mensagens selecionadas',
  'choose.all': 'Selecionar tudo',
  'choose.count': { one: '{n} selecionada', many: '{n} selecionadas', other: '{n} selecionadas' },
  'choose.markRead': 'Marcar como lida',
  'choose.markUnread': 'Marcar como não lida',
  'choose.delete': 'Excluir selecionadas',
  'choose.deleteAll': 'Excluir todas as mensagens',
  'choose.deleted': {
    one: '{n} mensagem excluída',
    many: '{n} de mensagens excluídas',
    other: '{n} mensagens excluídas',
  },
  'choose.restored': {
    one: '{n} mensagem restaurada',
    many: '{n} de mensagens restauradas',
    other: '{n} mensagens restauradas',
  },
  'choose.markedRead': {
    one: '{n} mensagem marcada como lida',
    many: '{n} de mensagens marcadas como lidas',
    other: '{n} mensagens marcadas como lidas',
  },
  'choose.markedUnread': {
    one: '{n} mensagem marcada como não lida',
    many: '{n} de mensagens marcadas como não lidas',
    other: '{n} mensagens marcadas como não lidas',
  },
  'dev.name': 'Todos os e-mails',
  'dev.title': 'Todos os e-mails enviados para',
  'dev.copy': 'Copiar servidor SMTP',
  'dev.copied': 'Servidor SMTP copiado',
  'dev.step.point': 'Aponte seu aplicativo para {smtp}, sem criptografia nem senha',
  'dev.step.send': 'Envie para qualquer endereço',
  'dev.step.appears': 'A mensagem aparece aqui',
};
