import type { CatalogFamily } from '../catalog/family.ts';
import type { Labels, MetricType } from '../exposition/exposition.ts';
import type { Evidence, Mark } from './evidence.ts';

/** A family's label as this kind's page has it. */
export interface LabelSource {
  /** The label's name on the page; with several, the first that a series has (the one written comes first). */
  readonly from: string | readonly string[];
  /** Page value -> family value; a value not listed goes through as it is, or becomes `otherwise`. */
  readonly values?: Readonly<Record<string, string>>;
  readonly otherwise?: string;
}

/** Where on a page a family's value stands: plain data, so that it can be read forwards and written backwards. */
export interface Source {
  /**
   * Names on the page, newest first. The first with samples is read and the others are not: while an engine
   * serves an old and a new name, adding them would double. Histograms and summaries by base name.
   */
  readonly names: readonly string[];
  /** Only series whose label has one of these values; a label that a series lacks counts as ''. */
  readonly where?: Readonly<Record<string, string | readonly string[]>>;
  /**
   * Labels whose values repeat one fact (`tp_rank`): of the series that differ in nothing else, only the one with
   * the smallest values is read. Per group, since with data-parallel attention each rank has another `tp_rank`.
   */
  readonly pickOne?: readonly string[];
  /** The family's own labels; those not named here are read under their own name. */
  readonly labels?: Readonly<Record<string, LabelSource>>;
  /** The family's own labels that this kind's series lack; of an info family, labels that are no part of the info. */
  readonly without?: readonly string[];
  /** The family's own labels that this source stands for (`source="local_cache_hit"`). */
  readonly constant?: Readonly<Record<string, string>>;
  /** Page value times this is the family's value (milliseconds to seconds: 0.001). */
  readonly scale?: number;
  /** Bounds of this kind's histogram, without +Inf, where they differ from the catalogue's. */
  readonly bounds?: readonly number[];
  /** Declared type on this kind's page where it differs from the family's. Reading ignores it. */
  readonly declared?: MetricType;
  /** `sum` or `count`: read this part of a histogram or summary as a plain number. */
  readonly part?: 'sum' | 'count';
  /** A page value that means "not measured" (-1): such a series is none. */
  readonly off?: number;
  /** Other versions or launch flags have it: read when it is there, never missed, written only from a state that has it. */
  readonly optional?: boolean;
  /**
   * On the page only after its first event, or while a model is loaded: that it is not there says nothing of the page.
   */
  readonly lazy?: boolean;
  /** First and last version of this kind that has it, in the words of the facts. */
  readonly since?: string;
  readonly until?: string;
  /** Which of the profile's label sets its series carry when written; `default` when absent. */
  readonly labelSet?: string;
  /** Labels of further series that repeat the value on a real page (`cache_source="device"` beside the total). */
  readonly copies?: readonly Labels[];
}

/** How a kind supplies one family. */
export type Supply =
  | Source
  /**
   * The sum of the parts that are there; absent when the first, the main one, is. A part with `scale: -1` is taken
   * away. Written back, the first part takes what the others leave.
   */
  | { readonly sum: readonly Source[] }
  /** Several sources that each give other label values of the family. */
  | { readonly each: readonly Source[] }
  /** The first that is on the page. */
  | { readonly firstOf: readonly Supply[] }
  /** Quotient of two sources (used blocks / all blocks). Written back onto the whole that another family gave. */
  | { readonly ratio: readonly [Source, Source] }
  /** An info family whose label values are the numbers of these sources. */
  | { readonly info: Readonly<Record<string, Source>> }
  /** This kind's figure for another family is this one's too; with `onlyWith`, only while that family is there. */
  | { readonly sameAs: string; readonly onlyWith?: string }
  /** This kind cannot supply it, and why: a sentence for a person. `shows`: what its page has under the name, always 0. */
  | { readonly missing: string; readonly shows?: Source };

export interface LaunchFlag {
  /** As typed on the engine's command line or in its settings. */
  readonly flag: string;
  /** What it brings, for a person: "metrics at /metrics". */
  readonly brings: string;
  /** Whether Penstock sees nothing of the engine's load without it. */
  readonly needed: boolean;
  /** Without it there is no page: a page that came shows that it was given. */
  readonly forPage?: true;
}

export type Api =
  | 'chat'
  | 'completions'
  | 'embeddings'
  | 'responses'
  | 'messages'
  | 'rerank'
  | 'tokenize'
  | 'audio';

/** The labels one group of a kind's series carries when we write its page. */
export interface LabelSet {
  /** The label that takes the model's name. */
  readonly model?: string;
  /** The label that takes the rank; absent: one series per process, not per rank. */
  readonly rank?: string;
  /** Whether an engine of one rank shows the rank label as well. */
  readonly rankOfOne?: boolean;
  /** Labels of a fixed value; of several values the first carries the figure and the others stand at 0. */
  readonly fixed?: Readonly<Record<string, string | readonly string[]>>;
}

/** How a page looks that we write as this kind. */
export interface PageForm {
  /** The version it stands for: what that version lacks is not written. */
  readonly version: string;
  /** `default` is that of every source which names no other. */
  readonly labelSets: Readonly<Record<string, LabelSet>> & { readonly default: LabelSet };
  /** Further places where the page has a family's figure: only written. */
  readonly also?: Readonly<Record<string, readonly Source[]>>;
  /** Own families whose label set or declared type is not the usual one. */
  readonly own?: Readonly<Record<string, Pick<Source, 'labelSet' | 'declared' | 'copies'>>>;
}

/** One figure of a JSON page as a sample. A path without a value gives none. */
export interface JsonSample {
  /** Name of the sample, as the kind's text page has it. */
  readonly name: string;
  /** Where the value stands: field names with dots between; a number, or a text for `oneOf`. */
  readonly at: string;
  /** The value there over this is the sample's (milliseconds to seconds: 1000): exact where times 0.001 is not. */
  readonly over?: number;
  /** 1 when the text there is one of these, else 0. */
  readonly oneOf?: readonly string[];
  readonly labels?: Labels;
}

/** A page that is no exposition text, and how it becomes one. */
export type OtherForm =
  | {
      readonly json: {
        readonly samples: readonly JsonSample[];
        /** A page that is a list of records: the newest, its last, is the one that is read. */
        readonly newestOf?: true;
        /** Where the model's name stands, and the label that takes it. */
        readonly model?: { readonly at: string; readonly label: string };
      };
    }
  /** Lines of name, tab, value; label values stand without quotes. */
  | { readonly lines: 'tab-separated' };

/** An error answer whose status blames the wrong side, told by what its body says. */
export interface MisleadingAnswer {
  readonly status: number;
  readonly says: RegExp;
  readonly fault: 'client' | 'engine';
}

/** What is true of one kind of engine: data, and the only place that knows it. */
export interface EngineProfile {
  readonly kind: string;
  /** Its name as its makers write it. */
  readonly title: string;
  /** Versions whose pages or answers this profile was checked against, and against what. */
  readonly verifiedAgainst: readonly {
    readonly version: string;
    readonly how: 'capture' | 'documentation' | 'own page';
  }[];
  readonly defaultPort: number;
  /** Absent: the kind has no metrics, and `noMetrics` says so to a person. */
  readonly metrics:
    | {
        readonly path: string;
        /** Appended to the path ("format=prometheus"). */
        readonly query?: string;
        readonly accept: string;
        /** Whether the engine's API key guards the page. */
        readonly guarded: boolean;
        /** Served without any flag. */
        readonly onByDefault: boolean;
        /** The page has a port of its own on the engine's host, unless the operator says where it is. */
        readonly port?: number;
        /** One page for each loaded model, which this query parameter names; read as one page, with this label added. */
        readonly perModel?: { readonly query: string; readonly label: string };
        /** What its servers may answer in place of text. */
        readonly otherForm?: OtherForm;
      }
    | undefined;
  readonly health: {
    readonly path: string;
    /** A 503 there means "still loading", not "down". */
    readonly loadingIs503: boolean;
    /** Each look costs the engine work: asked only where nothing else tells how it is. */
    readonly costly?: boolean;
    /** What a person must know of it ("takes a second and costs a token"). */
    readonly note?: string;
  };
  /** Where the version stands: a JSON field, dotted. */
  readonly version: { readonly path: string; readonly field: string } | undefined;
  readonly modelsPath: string;
  /** Where it says which models are in memory, if the model list does not. */
  readonly loadedPath?: string;
  readonly apis: readonly Api[];
  /** Whether a request that names an unknown model is refused by the engine itself. */
  readonly checksModel: boolean;
  readonly misleading?: readonly MisleadingAnswer[];
  /** The label that tells data-parallel ranks apart; absent: the page is one rank, "0". */
  readonly rankLabel: string | undefined;
  /** What told ranks apart before that label: read where a series lacks it. */
  readonly olderRankLabels?: readonly string[];
  /** The label that names the model, newest first; empty: the page names none. */
  readonly modelLabels: readonly string[];
  /** A value of that label which names no model. */
  readonly modelPlaceholder?: string;
  /** Moves while the engine works, whatever its gauges say; absent: judged by any change of the page. */
  readonly progress: Source | undefined;
  /** What `vllm:kv_cache_usage_perc` means here; only `pool` is memory pressure that routing may use. */
  readonly kvUsageMeans: 'pool' | 'reservation' | 'request-context' | 'absent';
  /** Whether the page has latency histograms of its own; where not, the gateway's stand in. */
  readonly latencyHistograms: boolean;
  /** Family (vLLM's current name) -> how this kind supplies it. Families not named: the kind is not known to have them. */
  readonly families: Readonly<Record<string, Supply>>;
  /** What the kind serves beyond vLLM's names. */
  readonly own: readonly CatalogFamily[];
  /** Absent: nobody writes pages of this kind. */
  readonly page: PageForm | undefined;
  readonly launch: readonly LaunchFlag[];
  /** What a person must know before believing this profile: sentences. */
  readonly doubts?: readonly string[];
  /** A harmless path that this kind alone answers tellingly: asked when its page made it a guess. */
  readonly confirmPath?: string;
  /** Nothing that is asked of an engine nobody has named tells this kind: only `kind` in a config does. */
  readonly onlyByConfig?: true;
  /** What of the evidence speaks for this kind. */
  readonly detect: (evidence: Evidence) => Mark | undefined;
}
