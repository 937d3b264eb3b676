// Spanish texts for having several addresses and opening them elsewhere; part of es.ts.

import type { AddressMessages } from '../messages.ts';

export const addresses: AddressMessages = {
  'label.open': 'Etiqueta',
  'label.title': 'Poner una etiqueta a esta dirección',
  'label.field': 'Etiqueta',
  'label.hint': 'Solo la ves tú. Se guarda en este navegador.',
  'label.save': 'Guardar',
  'switcher.search': 'Buscar direcciones',
  'switcher.none': 'No se encontraron direcciones.',
  'keep.title': 'Restaurar o guardar direcciones',
  'keep.token': 'Token o enlace',
  'keep.tokenHint': 'Pega el token de una dirección o un enlace a su bandeja.',
  'keep.tokenWrong': 'Esto no es un token ni un enlace a una bandeja.',
  'keep.tokenOver': 'Esa dirección ha caducado o nunca existió.',
  'keep.open': 'Abrir',
  'keep.opened': '{email} está abierta.',
  'keep.known': '{email} ya está abierta aquí.',
  'keep.full': 'Este navegador guarda como máximo {most} direcciones. Elimina o quita una antes.',
  'keep.load': 'Restaurar desde un archivo',
  'keep.loadHint': 'Abre solo un archivo que hayas guardado tú.',
  'keep.chooseFile': 'Elegir un archivo…',
  'keep.file.foreign': 'Este archivo no contiene direcciones guardadas.',
  'keep.file.newer':
    'Este archivo es de una versión más reciente de esta página. Recárgala e inténtalo de nuevo.',
  'keep.file.large': 'Este archivo es demasiado grande para ser de direcciones guardadas.',
  'keep.file.many': 'Este archivo contiene más de {most} direcciones, el máximo de este navegador.',
  'keep.summary': '{taken} de {total} restauradas',
  'keep.entry': 'Entrada {place}',
  'keep.result.taken': 'Restaurada',
  'keep.result.known': 'Ya abierta',
  'keep.result.over': 'Caducada',
  'keep.result.wrong': 'No es una dirección',
  'keep.result.full': 'No queda sitio',
  'keep.result.failed': 'Sin respuesta. Inténtalo de nuevo',
  'keep.save': 'Guardar en un archivo',
  'keep.warning':
    'El archivo contiene las llaves de estas bandejas. Quien lo tenga puede leer y borrar su correo.',
  'keep.saveFile': {
    one: 'Guardar {n} dirección',
    many: 'Guardar {n} de direcciones',
    other: 'Guardar {n} direcciones',
  },

  'push.choice': 'También con esta página cerrada',
  'push.hint': 'El servicio push del navegador sabe cuándo llega correo, pero no de quién es ni qué dice.',
  'push.failed': 'No se pudo contactar con el servicio push de este navegador. Inténtalo más tarde.',
};
