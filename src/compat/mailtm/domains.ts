// GET /domains and /domains/{id}: the domains for new addresses. Need no credentials.

import { MayflyError } from '../../domain/mayfly-error.ts';
import type { CompatApp, CompatContext } from '../dialect.ts';
import { toDomainId } from './ids.ts';
import { answerCollection, answerResource, readPage, type Resource, toDate } from './represent.ts';

export function addDomainRoutes(app: CompatApp, { services }: Pick<CompatContext, 'services'>): void {
  app.add({
    method: 'GET',
    path: '/domains',
    async serve(call) {
      const page = readPage(call);
      const { domains } = await services.listDomains();
      return answerCollection(call, {
        ...{ type: 'Domain', path: '/domains', page, total: domains.length },
        members: domains.slice(page.first, page.first + page.size).map(toDomain),
      });
    },
  });
  app.add({
    method: 'GET',
    path: '/domains/:id',
    async serve(call) {
      const { domains } = await services.listDomains();
      const domain = domains.find(({ id }) => toDomainId(id) === call.parameters['id']);
      if (domain) return answerResource(call, toDomain(domain));
      throw new MayflyError('unknown_domain', 'There is no domain with this id.');
    },
  });
}

/** When a domain was added is not stored, and clients expect an instant. */
const addedAt = toDate(0);

function toDomain({ id, name }: { readonly id: number; readonly name: string }): Resource {
  const text = toDomainId(id);
  return {
    type: 'Domain',
    path: `/domains/${text}`,
    fields: {
      ...{ id: text, domain: name, isActive: true, isPrivate: false },
      ...{ createdAt: addedAt, updatedAt: addedAt },
    },
  };
}
