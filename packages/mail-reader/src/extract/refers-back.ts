// Recognises sentences that only refer to what the previous one named: "You asked for a code. It is 4821." Called by
// weigh-words.ts, so that the name counts as if it were in the same sentence. Examines a bounded range of one line.
import type { Candidate } from './find-candidates.ts';
import { cleanText, foldCase } from './fold-text.ts';
import type { CodeSource, Line } from './code-source.ts';

interface Standing {
  readonly candidate: Candidate;
  readonly source: CodeSource;
  readonly line: Line;
}

/** Everything before the code in its sentence. */
const pointers = `it is, it's, it’s, it reads, this is it, that is, here it is, here you go, here goes, there you go, namely,
  es lautet, er lautet, sie lautet, es ist, er ist, dieser lautet, dieses lautet, hier ist er, hier ist es, da ist er,
  il est, elle est, c'est, c’est, c'est le, c’est le, le voici, la voici, voici, le voilà, à savoir,
  es, es el, es este, es éste, aquí está, aquí lo tienes, aquí tienes, aquí la tienes, este es, éste es, se trata de,
  é, é o, é este, é o seguinte, aqui está, ei-lo, este é, trata-se de, ele é, ela é, aqui vai,
  è, è il, è questo, è il seguente, eccolo, eccola, ecco, si tratta di, eccolo qui, eccolo qua,
  het is, hij is, hij luidt, deze luidt, deze is, dit is hem, hier is hij, hier is ie, hier komt hij, die luidt,
  oto on, oto ono, oto ona, oto, to, brzmi, brzmi on, brzmi ono, brzmi tak, jest to, jest nim,
  вот он, вот она, вот, это, он такой, вот такой, а вот и он, він такий, ось він, ось вона, ось, це, а ось і він,
  işte, işte burada, şu, şudur, şöyle, bu, buyurun, işte kodunuz,
  هو, هي, وهو, وهي, ها هو, ها هي, إليك, وها هو, این است, این, آن, آن هم, که عبارت است از, عبارت است از,
  यह है, यह रहा, यह रही, यह, वह है, वह, ये रहा, ये है, 它是, 即, 就是, 是, 为, 這就是, 这就是, 如下, 在这里, 在這裡,
  它就是, それは, これは, こちら, こちらです, 以下のとおりです, 以下の通りです, 次のとおりです, 次の通りです, 下記のとおりです,
  그것은, 이것은, 바로, 여기 있습니다, 다음과 같습니다, 아래와 같습니다, đó là, đây là, nó là, đây, cụ thể là, chính là,
  ini dia, yaitu, yakni, adalah, ini, inilah, itu adalah, berikut ini`;
const pointerSet: ReadonlySet<string> = new Set(
  pointers.split(',').map((text) => foldCase(cleanText(text)).trim()),
);
/** A sentence that continues with more than a final verb says something else. */
const endsAfter =
  /^["'”»」』*)]{0,3}\s?(?:'?d[ıiuü]r|است|می ?باشد|है|हैं|です|になります|でございます|입니다|이에요|예요)?["'”»*)]{0,2}\s*(?:$|[\n.!。！।])/u;
const sentenceStart = /[.!?:。！？।؟]\s*/u;
const reach = 60;

/** Reports whether the sentence says only that the code is what was named before. */
export function refersBack({ candidate, source, line }: Standing): boolean {
  const before = source.folded.slice(Math.max(line.start, candidate.start - reach), candidate.start);
  const after = source.folded.slice(
    candidate.end,
    Math.min(Math.max(line.end, candidate.end), candidate.end + 20),
  );
  if (!endsAfter.test(after)) return false;
  const own = before.replace(/[\s:"'“„«「『*(,-]+$/u, '');
  return pointerSet.has(own.split(sentenceStart).at(-1)?.trim() ?? '');
}
