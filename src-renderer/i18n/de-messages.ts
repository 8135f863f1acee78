import type { MESSAGES } from '../../src-main/contract/messages.ts';
import { deAccountMessages } from './de-messages-accounts.ts';
import { deAnnotationMessages } from './de-messages-annotations.ts';
import { deDatasetMessages } from './de-messages-datasets.ts';
import { deFileMessages } from './de-messages-files.ts';
import { deIssueMessages } from './de-messages-issues.ts';
import { deModelMessages } from './de-messages-models.ts';
import { deOutcomeMessages } from './de-messages-outcomes.ts';
import { deResultMessages } from './de-messages-results.ts';
import { deServiceMessages } from './de-messages-service.ts';
import { deTaskMessages } from './de-messages-tasks.ts';

/** The sentences of the server, by their codes. A missing code is a compile error. */
export const deMessages: Readonly<Record<keyof typeof MESSAGES, string>> = {
  as_written: '{{text}}',
  whole_number: '{{value}}',
  unforeseen: 'In Vitrine ist etwas schiefgegangen. Das Protokoll enthält die Einzelheiten.',
  compute_failed: 'Eine Berechnung ist unerwartet fehlgeschlagen.',
  disk_full: 'Der Datenträger mit dem Datenordner ist voll. Schaffen Sie Platz, und versuchen Sie es erneut.',
  stopped: 'Angehalten',
  download_stopped: 'Das Herunterladen wurde angehalten',
  creation_stopped: 'Die Erstellung wurde angehalten',
  restore_stopped: 'Die Wiederherstellung wurde angehalten',
  too_many_tasks:
    'Bei Ihnen warten oder laufen {{count}} Aufgaben; erlaubt sind auf diesem Server {{limit}}. Warten Sie, bis eine fertig ist, oder halten Sie eine an',
  closed_while_running: 'Das Programm wurde beendet, während die Aufgabe lief',
  interrupted_repeatedly: 'Die Aufgabe wurde wiederholt unterbrochen, ohne voranzukommen',
  no_folder_open:
    'Kein Ordner des Servers ist geöffnet. Ein Administrator kann unter Einstellungen, OPENED_FOLDERS, welche öffnen',
  folder_not_open:
    'Dieser Ordner des Servers ist nicht geöffnet. Ein Administrator kann ihn unter Einstellungen, OPENED_FOLDERS, öffnen; oder laden Sie die Dateien hoch',
  dataset_damaged:
    'Auf dem Datenträger beschädigt: {{problem}}. Holen Sie den Ordner aus einer Sicherung zurück und starten Sie neu, oder löschen Sie den Datensatz und erstellen Sie ihn neu.',
  folder_missing: 'sein Ordner fehlt',
  database_missing: 'seine Datenbank (data.db) fehlt',
  database_overwritten: 'seine Datenbank (data.db) ist überschrieben oder leer',
  database_cut: 'seine Datenbank (data.db) ist abgeschnitten',
  file_missing: '{{file}} fehlt',
  file_cut: '{{file}} ist abgeschnitten',
  file_damaged: '{{file}} ist beschädigt',
  file_cut_or_damaged: '{{file}} ist abgeschnitten oder beschädigt',
  thumbnails_damaged_other: '{{count}} Vorschaubilder von {{entities}} fehlen oder sind beschädigt',
  thumbnails_damaged_one: '1 Vorschaubild von {{entities}} fehlt oder ist beschädigt',
  vectors_missing_other: '{{count}} Vektoren ({{space}}) von {{entities}} fehlen',
  vectors_missing_one: '1 Vektor ({{space}}) von {{entities}} fehlt',
  vectors_damaged_other: '{{count}} Vektoren ({{space}}) von {{entities}} sind beschädigt',
  vectors_damaged_one: '1 Vektor ({{space}}) von {{entities}} ist beschädigt',
  originals_missing_other: '{{count}} Originale fehlen ({{names}}); holen Sie den Datensatz aus einer Sicherung zurück',
  originals_missing_one: '1 Original fehlt ({{names}}); holen Sie den Datensatz aus einer Sicherung zurück',
  backup_damaged_other:
    'Die letzte Sicherung kann nicht vollständig wiederhergestellt werden: {{count}} Dateien sind beschädigt. Legen Sie eine neue in einem anderen Ordner an',
  backup_damaged_one:
    'Die letzte Sicherung kann nicht vollständig wiederhergestellt werden: 1 Datei ist beschädigt. Legen Sie eine neue in einem anderen Ordner an',
  backups_unreadable_other:
    '{{count}} Sicherungen des Ordners können nicht gelesen werden. Legen Sie eine neue in einem anderen Ordner an',
  backups_unreadable_one:
    '1 Sicherung des Ordners kann nicht gelesen werden. Legen Sie eine neue in einem anderen Ordner an',
  backup_folder_unreadable:
    'Der Ordner der Sicherungen kann nicht gelesen werden ({{problem}}). Prüfen Sie sein Laufwerk, und legen Sie eine neue Sicherung in einem anderen Ordner an',
  originals_damaged_other: '{{count}} Originale sind beschädigt; holen Sie den Datensatz aus einer Sicherung zurück',
  originals_damaged_one: '1 Original ist beschädigt; holen Sie den Datensatz aus einer Sicherung zurück',
  names_and_more: '{{names}} und {{n}} weitere',
  snapshots_damaged_other:
    '{{count}} Snapshots sind beschädigt und können nicht wiederhergestellt werden ({{names}}); erstellen Sie einen neuen, oder holen Sie den Datensatz aus einer Sicherung zurück',
  snapshots_damaged_one:
    '1 Snapshot ist beschädigt und kann nicht wiederhergestellt werden ({{names}}); erstellen Sie einen neuen, oder holen Sie den Datensatz aus einer Sicherung zurück',
  originals_restored_other:
    '{{count}} fehlende oder beschädigte Originale wurden aus einer Sicherung wiederhergestellt',
  originals_restored_one: '1 fehlendes oder beschädigtes Original wurde aus einer Sicherung wiederhergestellt',
  snapshot_blocks_restored_other:
    '{{count}} beschädigte Teile der Snapshots wurden aus einer Sicherung wiederhergestellt',
  snapshot_blocks_restored_one: '1 beschädigter Teil der Snapshots wurde aus einer Sicherung wiederhergestellt',
  damage_found_title: 'Die Datenprüfung hat Schäden gefunden',
  damage_found: '{{name}}: {{problems}}',
  damage_fatal:
    '{{problem}}. Holen Sie den Ordner aus einer Sicherung zurück und starten Sie neu, oder löschen Sie den Datensatz und erstellen Sie ihn neu.',
  damage_repaired_from_originals: '{{problems}}. Es wird aus den Originaldateien neu berechnet.',
  damage_map: '{{problems}}. Die Karte wird neu berechnet.',
  folder_back: 'Der Ordner ist wieder da; indexieren Sie den Datensatz neu, um seine Elemente zu gruppieren',
  folder_not_adopted:
    'Der Ordner konnte nicht in den Katalog aufgenommen werden und blieb unverändert. Das Protokoll enthält die Einzelheiten.',
  folder_lost:
    'Die Kopie des Katalogs nennt diesen Datensatz, aber sein Ordner existiert nicht: Der Datensatz wurde später gelöscht, oder der Ordner ging verloren.',
  folder_unreadable: 'Der Ordner kann nicht gelesen werden und wurde nach {{place}} verschoben',
  originals_set_aside: 'Originale, die zu keinem Datensatz gehören, wurden nach {{place}} verschoben',
  dataset_adopted: 'Er wurde vollständig aus seinem Ordner wiederhergestellt',
  dataset_adopted_without_record:
    'Seine Elemente wurden aus seinem Ordner wiederhergestellt; Name und Einstellungen sind verloren',
  snapshots_adopted_other: '{{count}} im Katalog fehlende Snapshots wurden aus seinem Ordner wiederhergestellt',
  snapshots_adopted_one: '1 im Katalog fehlender Snapshot wurde aus seinem Ordner wiederhergestellt',
  catalog_outdated: 'Der Katalog war älter als der Ordner des Datensatzes und wurde daraus aktualisiert',
  catalog_replaced: '{{cause}}. {{outcome}}',
  catalog_damaged: 'Der Katalog war beschädigt; die beschädigte Datei wurde nach {{place}} verschoben',
  catalog_gone: 'Der Katalog fehlte',
  catalog_rebuilt:
    'Er wurde aus den Ordnern der Datensätze neu erstellt. Einstellungen und ältere Aufgaben konnten nicht wiederhergestellt werden.',
  catalog_from_copy:
    'Er wurde aus seiner Kopie vom {{copied_at}} wiederhergestellt, mit allen Einstellungen und Aufgaben; spätere Änderungen wurden aus den Ordnern der Datensätze gelesen.',
  record_lost: 'Die Erstellung wurde unterbrochen, und der Eintrag ging verloren',
  backed_up_during_creation: 'Er wurde gerade erstellt, als gesichert wurde. Erstellen Sie ihn neu.',
  ...deAccountMessages,
  ...deDatasetMessages,
  ...deServiceMessages,
  ...deFileMessages,
  ...deAnnotationMessages,
  ...deModelMessages,
  ...deOutcomeMessages,
  ...deResultMessages,
  ...deTaskMessages,
  ...deIssueMessages,
};
