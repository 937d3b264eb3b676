// GET /domains and /domains/{id}: the domains for new addresses. Need no credentials.

import { MayflyError } from '../../domain/mayfly-error.ts';
import { publicRoute } from '../dialect.ts';
import { toDomainId } from './ids.ts';
import { answerCollection, answerResource, readPage, type Resource, toDate } from './represent.ts';

export const domainRoutes = [
  publicRoute('GET /domains', 'the domains for new addresses; needs no token', async ({ services }, call) => {
    const page = readPage(call);
    const { domains } = await services.listDomains();
    return answerCollection(call, {
      type: 'Domain',
      path: '/domains',
      page,
      total: domains.length,
      members: domains.slice(page.first, page.first + page.size).map(toDomain),
    });
  }),
  publicRoute('GET /domains/:id', 'one of them', async ({ services }, call) => {
    const { domains } = await services.listDomains();
    const domain = domains.find(({ id }) => toDomainId(id) === call.parameters['id']);
    if (domain) return answerResource(call, toDomain(domain));
    throw new MayflyError('unknown_domain', 'There is no domain with this id.');
  }),
];

/** When a domain was added is not stored, and clients expect an instant. */
const addedAt = toDate(0);

function toDomain({ id, name }: { readonly id: number; readonly name: string }): Resource {
  const text = toDomainId(id);
  return {
    type: 'Domain',
    path: `/domains/${text}`,
    fields: {
      id: text,
      domain: name,
      isActive: true,
      isPrivate: false,
      createdAt: addedAt,
      updatedAt: addedAt,
    },
  };
}
