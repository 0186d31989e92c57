// Numbers, durations and dates as they are shown. Missing values are a dash everywhere.

export const none = '–';

const grouped = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

// count: 12,345.
export function count(value: number | null | undefined): string {
  return value === null || value === undefined ? none : grouped.format(value);
}

// number: about `digits` significant digits, no exponent where it can be helped.
export function number(value: number | null | undefined, digits = 3): string {
  if (value === null || value === undefined || Number.isNaN(value)) return none;
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e9)) return value.toExponential(digits - 1).replace('-', '−');
  return new Intl.NumberFormat('en', { maximumSignificantDigits: Math.max(digits, Math.ceil(Math.log10(size + 1))) })
    .format(value)
    .replace('-', '−');
}

// seconds: 0.4 ms, 12 ms, 1.3 s, 4 min 05 s, 2 h 10 min.
export function seconds(value: number | null | undefined): string {
  if (value === null || value === undefined) return none;
  if (value < 0.001) return `${number(value * 1000, 1)} ms`;
  if (value < 0.9995) return `${Math.round(value * 1000)} ms`;
  if (value < 59.95) return `${value.toFixed(1)} s`;
  const total = Math.round(value);
  const two = (part: number) => String(part).padStart(2, '0');
  if (total < 3600) return `${Math.floor(total / 60)} min ${two(total % 60)} s`;
  return `${Math.floor(total / 3600)} h ${two(Math.floor((total % 3600) / 60))} min`;
}

export function kib(value: number | null | undefined): string {
  return value === null || value === undefined ? none : mib(value / 1024);
}

export function mib(value: number | null | undefined): string {
  if (value === null || value === undefined) return none;
  return value >= 1024 ? `${(value / 1024).toFixed(1)} GiB` : `${value < 10 ? value.toFixed(1) : Math.round(value)} MiB`;
}

export function bytes(value: number): string {
  if (value < 1024) return `${value} B`;
  return value < 1024 * 1024 ? `${(value / 1024).toFixed(1)} KiB` : mib(value / 1024 / 1024);
}

// A moment from the API: seconds since 1970 or an ISO date, in UTC if it does not say.
type Moment = number | string | null | undefined;

function to_date(value: Moment): Date | undefined {
  if (value === null || value === undefined || value === '') return undefined;
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\d[ T][\d:.]+$/.test(value)) value = `${value.replace(' ', 'T')}Z`;
  const date = new Date(typeof value === 'number' ? value * 1000 : value);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

// date: 2026-03-14 15:09 in the reader's time zone.
export function date(value: Moment): string {
  const moment = to_date(value);
  if (!moment) return none;
  const two = (part: number) => String(part).padStart(2, '0');
  return (
    `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())} ` +
    `${two(moment.getHours())}:${two(moment.getMinutes())}`
  );
}

// ago: just now, 5 min ago, 3 h ago, then the date.
export function ago(value: Moment, now = Date.now()): string {
  const moment = to_date(value);
  if (!moment) return none;
  const past = (now - moment.getTime()) / 1000;
  if (past < 45) return 'just now';
  if (past < 3600) return `${Math.max(1, Math.round(past / 60))} min ago`;
  if (past < 86400) return `${Math.round(past / 3600)} h ago`;
  return date(value);
}

// percent: 0.4231 → 42.3 %.
export function percent(value: number | null | undefined, digits = 1): string {
  return value === null || value === undefined || Number.isNaN(value) ? none : `${(value * 100).toFixed(digits)}%`;
}

// interval: 42.3% [30.1, 55.2].
export function interval(value: number | null | undefined, low?: number | null, high?: number | null, digits = 1): string {
  if (value === null || value === undefined) return none;
  if (low === null || low === undefined || high === null || high === undefined) return percent(value, digits);
  return `${percent(value, digits)} [${(low * 100).toFixed(digits)}, ${(high * 100).toFixed(digits)}]`;
}

// plural: 1 fault, 2 faults.
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}
