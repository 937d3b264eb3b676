// Spanish texts for finding messages and acting on several of them; part of es.ts.

import type { ListMessages } from '../messages.ts';

export const list: ListMessages = {
  'search.label': 'Buscar mensajes',
  'search.none': 'No se encontraron mensajes.',
  'search.recipient': 'Destinatario',
  'search.allRecipients': 'Todos los destinatarios',
  'search.tag': 'Etiqueta',
  'search.allTags': 'Todo',
  'search.searching': 'Buscando en el texto de los mensajes…',
  'search.partial': 'No se pudo buscar en el texto de los mensajes; solo en remitentes, asuntos y códigos.',
  'preview.show': 'Vista previa de {name}',
  'preview.document': 'Vista previa',
  'preview.broken': 'No se puede mostrar esta imagen. Descárgala.',
  'choose.start': 'Seleccionar mensajes',
  'choose.stop': 'Salir de la selección',
  'choose.label': 'Mensajes seleccionados',
  'choose.all': 'Seleccionar todo',
  'choose.count': { one: '{n} seleccionado', many: '{n} seleccionados', other: '{n} seleccionados' },
  'choose.markRead': 'Marcar como leído',
  'choose.markUnread': 'Marcar como no leído',
  'choose.delete': 'Eliminar selección',
  'choose.deleteAll': 'Eliminar todos los mensajes',
  'choose.deleted': {
    one: '{n} mensaje eliminado',
    many: '{n} de mensajes eliminados',
    other: '{n} mensajes eliminados',
  },
  'choose.restored': {
    one: '{n} mensaje restaurado',
    many: '{n} de mensajes restaurados',
    other: '{n} mensajes restaurados',
  },
  'choose.markedRead': {
    one: '{n} mensaje marcado como leído',
    many: '{n} de mensajes marcados como leídos',
    other: '{n} mensajes marcados como leídos',
  },
  'choose.markedUnread': {
    one: '{n} mensaje marcado como no leído',
    many: '{n} de mensajes marcados como no leídos',
    other: '{n} mensajes marcados como no leídos',
  },
  'dev.name': 'Todo el correo',
  'dev.title': 'Todo el correo enviado a',
  'dev.copy': 'Copiar el servidor SMTP',
  'dev.copied': 'Servidor SMTP copiado',
  'dev.step.point': 'Apunta tu aplicación a {smtp}, sin cifrado ni contraseña',
  'dev.step.send': 'Envía a cualquier dirección',
  'dev.step.appears': 'El mensaje aparece aquí',
};
