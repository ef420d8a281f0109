/**
 * The names of the contract at run time, for both doors that check them: preload, which must stay small, and the engine. Records, so that a
 * name that is missing does not compile.
 */
import type { AreaMethods } from './areas/index.ts';
import type { MethodName, TopicName } from './contract.ts';

/** Methods of the window outside of the areas. */
export const BASE_METHODS: Readonly<Record<Exclude<MethodName, keyof AreaMethods>, true>> = {
  'case.list': true,
  'case.open': true,
  'case.delete': true,
  'case.edit': true,
  'entry.list': true,
  'entry.text': true,
  'entry.bytes': true,
  'entry.record': true,
  'example.import': true,
  'job.get': true,
  'job.cancel': true,
};

type AreaOf<Name> = Name extends `${infer Area}.${string}` ? Area : never;

export const AREAS: Readonly<Record<AreaOf<keyof AreaMethods>, true>> = {
  timeline: true,
  collectives: true,
  logs: true,
  ranks: true,
  clocks: true,
  evidence: true,
  notes: true,
  export: true,
  compare: true,
  job: true,
};

const TOPICS: Readonly<Record<TopicName, true>> = {
  'job.changed': true,
  'cases.changed': true,
  'notes.changed': true,
  'case.revised': true,
  'clocks.progress': true,
};

export const isTopic = (name: string): name is TopicName => Object.hasOwn(TOPICS, name);
export const TOPIC_NAMES: readonly TopicName[] = Object.keys(TOPICS).filter(isTopic);
