declare module 'parse-prometheus-text-format' {
  export default function parsePrometheusTextFormat(page: string): readonly unknown[];
}
