// Reads Amazon SES's API version 1, a form with an Action
// (https://docs.aws.amazon.com/ses/latest/APIReference/API_SendEmail.html), as the calls of version 2 that it stands for.
// Pure.

import { type JsonObject, Members, type Path } from '../reading/members.ts';
import type { ReadCall, ReadItem } from '../compose.ts';
import { RefusedError } from '../refusal.ts';
import { Form } from '../reading/form.ts';
import { createWording, readBulk, readEmail } from './read-email.ts';

type Tree = Record<string, unknown>;

const levelsMax = 10;
const membersMax = 1000;

export const readSesQuery: ReadCall = ({ body, contentType }) => {
  const form = new Form(body, contentType);
  const action = form.text('Action') ?? '';
  const read = Object.hasOwn(actions, action) ? actions[action] : undefined;
  if (!read) {
    const message =
      action === ''
        ? 'The action is missing.'
        : `The action ${printable(action)} is not valid for this web service.`;
    throw new RefusedError({ status: 400, code: 'InvalidAction', message });
  }
  form.text('Version');
  return { items: read(toTree(form)), notes: { action } };
};

/** Names of version 1 for the members of version 2 and, after a dot, for those within them. */
const oldNames: Readonly<Record<string, string>> = {
  FromEmailAddress: 'Source',
  FromEmailAddressIdentityArn: 'SourceArn',
  FeedbackForwardingEmailAddress: 'ReturnPath',
  EmailTags: 'Tags',
  DefaultEmailTags: 'DefaultTags',
  BulkEmailEntries: 'Destinations',
  'Content.Simple': 'Message',
  'Content.Raw': 'RawMessage',
  'Content.Template': 'Template',
  'Content.Template.TemplateName': 'Template',
  'Content.Template.TemplateArn': 'TemplateArn',
  'Content.Template.TemplateData': 'TemplateData',
  'DefaultContent.Template': 'Template',
  'DefaultContent.Template.TemplateName': 'Template',
  'DefaultContent.Template.TemplateArn': 'TemplateArn',
  'DefaultContent.Template.TemplateData': 'DefaultTemplateData',
};

function toOldPath(path: Path): Path {
  for (const length of [3, 2, 1]) {
    const old = oldNames[path.slice(0, length).join('.')];
    if (old !== undefined) return [old, ...path.slice(length)];
  }
  return path;
}

const wording = createWording('ValidationError', toOldPath);

const actions: Readonly<Record<string, (given: Tree) => readonly ReadItem[]>> = {
  SendEmail: (given) => [readEmail(toCall({ ...common(given), Content: simple(given) }))],
  SendRawEmail: (given) => [readEmail(toCall(rawCall(given)))],
  SendTemplatedEmail: (given) => [
    readEmail(toCall({ ...common(given), Content: { Template: template(given) } })),
  ],
  SendBulkTemplatedEmail: (given) => readBulk(toCall(bulkCall(given))),
};

function toCall(call: JsonObject): Members {
  return new Members(call, [], wording);
}

/** Takes what all actions have; what they leave is shown under its own name. */
function common(given: Tree): Tree {
  const { Source, Destination, ReplyToAddresses, ReturnPath, SourceArn, Tags, ...others } = given;
  for (const name of ['Message', 'Template', 'TemplateArn', 'TemplateData']) {
    Reflect.deleteProperty(others, name);
  }
  return {
    FromEmailAddress: Source,
    Destination,
    ReplyToAddresses,
    FeedbackForwardingEmailAddress: ReturnPath,
    FromEmailAddressIdentityArn: SourceArn,
    EmailTags: Tags,
    ...others,
  };
}

function simple({ Message }: Tree): Tree {
  return { Simple: Message };
}

function template({ Template, TemplateArn, TemplateData }: Tree): Tree {
  return { TemplateName: Template, TemplateArn, TemplateData };
}

function rawCall(given: Tree): Tree {
  const { Destinations, RawMessage, ...others } = given;
  const { Data } = (RawMessage ?? {}) as Tree;
  return {
    ...common(others),
    // In any of its fields, since a raw message has its own.
    ...(Destinations === undefined ? {} : { Destination: { BccAddresses: Destinations } }),
    Content: { Raw: { Data } },
  };
}

function bulkCall(given: Tree): Tree {
  const { Destinations, DefaultTags, DefaultTemplateData, ...others } = given;
  const entries = Array.isArray(Destinations) ? (Destinations as readonly Tree[]) : [];
  return {
    ...common(others),
    Destination: undefined,
    DefaultEmailTags: DefaultTags,
    DefaultContent: { Template: { ...template(given), TemplateData: DefaultTemplateData } },
    BulkEmailEntries: entries.map((entry) => {
      const { ReplacementTemplateData, ...rest } = Object(entry) as Tree;
      const ReplacementEmailContent = { ReplacementTemplate: { ReplacementTemplateData } };
      return { ...rest, ReplacementEmailContent };
    }),
  };
}

/** Returns `A.B.member.1` as A of B with a list. @throws RefusedError */
function toTree(form: Form): Tree {
  const tree = Object.create(null) as Tree;
  for (const name of form.names()) {
    const steps = name.split('.');
    if (steps.length > levelsMax) throw invalid(name);
    let place = tree;
    for (const [at, step] of steps.entries()) {
      if (at === steps.length - 1) place[step] = form.text(name);
      else {
        const inner = (place[step] ??= Object.create(null) as Tree);
        if (typeof inner !== 'object' || inner === null) throw invalid(name);
        place = inner as Tree;
      }
    }
  }
  return withLists(tree) as Tree;
}

/** Turns `{ member: { 1: …, 2: … } }` into lists. @throws RefusedError */
function withLists(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const tree = value as Tree;
  const { member } = tree;
  if (typeof member === 'object' && member !== null && Object.keys(tree).length === 1) {
    const numbered = Object.entries(member).map(([number, one]) => [Number(number), one] as const);
    if (numbered.length > membersMax || numbered.some(([number]) => !Number.isSafeInteger(number))) {
      throw invalid('member');
    }
    return numbered.sort(([one], [other]) => one - other).map(([, one]) => withLists(one));
  }
  return Object.fromEntries(Object.entries(tree).map(([name, one]) => [name, withLists(one)] as const));
}

function invalid(name: string): RefusedError {
  return new RefusedError({
    status: 400,
    code: 'MalformedInput',
    message: `The parameter ${printable(name)} is not valid.`,
  });
}

function printable(text: string): string {
  return text.slice(0, 100).replace(/[^\x20-\x7e]/g, '?');
}
