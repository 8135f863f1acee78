/** German descriptions of the settings, by key. The service describes settings in English. */
export const DE_SETTING_DESCRIPTIONS: Readonly<Record<string, string>> = {
  DATASET_SNAPSHOTS_ENABLED: 'Erlaubt Snapshots von Datensätzen: anlegen, wiederherstellen, klonen.',
  SVC_CHAT_ENABLED: 'Chat-Assistent. Für andere Programme beibehalten; hier hängt nichts davon ab.',
  ENRICHMENT_INLINE_FLOW_ENABLED:
    'Ablauf der Anreicherung. Für andere Programme beibehalten; hier hängt nichts davon ab.',
  DATASET_SHARE_ENABLED: 'Erlaubt, Datensätze für andere Konten freizugeben.',
  ADD_MEDIA_ENABLED: 'Erlaubt, bestehenden Datensätzen Medien hinzuzufügen.',
  DELETE_DATASET_ENABLED: 'Erlaubt, Datensätze zu löschen.',
  LOG_LEVEL: 'Niedrigste Stufe der Protokolleinträge.',
  SWAP_RGB_CHANNELS_FOR_TIFF_HEIC:
    'Vertauscht Rot und Blau in TIFF- und HEIC-Dateien, die von jetzt an gelesen werden.',
  ALLOW_PRIVATE_MEDIA_URLS: 'Erlaubt in Listen http(s)-Adressen privater Netze.',
  S3_ENDPOINT: 'Adresse eines S3-kompatiblen Objektspeichers; leer: Amazon S3.',
  S3_REGION: 'Region des Objektspeichers; leer: aus der AWS-Umgebung.',
  S3_PATH_STYLE: 'Nennt Buckets im Pfad statt im Hostnamen; leer: außer bei Amazon S3.',
  ARCHIVE_MAX_ENTRIES: 'Höchstzahl der Einträge eines Archivs; leer: 1.000.000.',
  ARCHIVE_MAX_TOTAL_BYTES: 'Größte entpackte Größe eines Archivs in Byte; leer: 512 GiB.',
  ARCHIVE_MAX_ENTRY_BYTES: 'Größte Größe einer Datei eines Archivs in Byte; leer: 64 GiB.',
  ARCHIVE_MAX_RATIO: 'Größtes Verhältnis von entpackter zu gepackter Größe; leer: 200.',
  ARCHIVE_MAX_DEPTH: 'Größte Tiefe der Ordner eines Archivs; leer: 64.',
  FFMPEG_PATH: 'Pfad von ffmpeg oder seines Ordners; leer: ffmpeg wird gesucht.',
  VIDEO_FRAMES_PER_SECOND: 'Einzelbilder, die je Sekunde eines Videos entnommen werden.',
  VIDEO_MAX_FRAMES: 'Höchstzahl der Einzelbilder, die einem Video entnommen werden.',
  VECTOR_ENGINE:
    'Wo indizierte Datensätze nach Ähnlichkeit durchsucht werden; external: im Dienst unter VECTOR_ENGINE_URL.',
  VECTOR_ENGINE_URL:
    'Adresse eines externen Vektordienstes: http(s) für Qdrant, postgresql:// für PostgreSQL mit pgvector; leer: keiner.',
  VECTOR_ENGINE_KEY: 'API-Schlüssel von Qdrant oder Passwort des Datenbankbenutzers; leer: keiner.',
  RAY_ADDRESS:
    'Adresse des Dashboards eines Ray-Clusters, der Modelle anwendet, etwa http://127.0.0.1:8265; leer: keiner.',
  INFERENCE_HOSTS:
    'Adressen von Inferenz-Hosts, die Modelle zusammen mit diesem Rechner anwenden, etwa http://10.0.0.5:2090, durch Leerzeichen getrennt; leer: keine.',
  INFERENCE_SECRET: 'Geheimnis, mit dem die Inferenz-Hosts gestartet wurden; leer: keines.',
  OPEN_DATASETS: 'Höchstzahl offener Datensätze; leer: 8.',
  DATASET_READERS: 'Threads, die Datensätze lesen; leer: ein Viertel der Kerne, 3 oder 4.',
  MODEL_DEVICE: 'Womit Modelle rechnen; auto: das Schnellste, das funktioniert.',
  DEFAULT_ENCODER: 'Encoder neuer Datensätze: Kennung eines Modells oder none; leer: der beste installierte.',
  RECOMMENDED_ENCODER: 'Ob Datensätze den empfohlenen Encoder erhalten; ask: der erste Datensatz fragt.',
  MODELS_URL: 'Adresse eines Spiegels mit einem Ordner je Paket des Katalogs, der zuerst versucht wird; leer: keiner.',
  MODELS_HUB_URL: 'Adresse, von der Modelle geladen werden.',
  MODELS_MIRRORS: 'Weitere Adressen, von denen Modelle geladen werden, durch Leerzeichen getrennt.',
  MODELS_NEVER_DOWNLOAD: 'Verbietet, Modelle herunterzuladen.',
  MODELS_CATALOGUE: 'Pfad eines anderen Modellkatalogs; leer: der von Vitrine.',
  ISSUE_BLUR: 'Schärfe im Verhältnis zur üblichen, unter der ein Bild als unscharf gilt.',
  ISSUE_DARK: 'Helligkeit des hellsten Zwanzigstels eines Bildes, unter der es als dunkel gilt.',
  ISSUE_BRIGHT:
    'Abstand des dunkelsten Zwanzigstels eines Bildes von Weiß, unter dem es als hell gilt. Bei 0,3 gilt auch ein Bild als hell, von dem ein Fünftel überbelichtet ist; ein höherer Wert verlangt weniger.',
  ISSUE_LOW_INFORMATION: 'Entropie in Bit, unter der ein Bild wenig Information hat.',
  ISSUE_ODD_ASPECT_RATIO: 'Verhältnis der kurzen zur langen Seite, unter dem ein Seitenverhältnis ungewöhnlich ist.',
  ISSUE_ODD_SIZE: 'Quartilsabstände jenseits der Quartile, ab denen eine Größe ungewöhnlich ist.',
  ISSUE_DUPLICATES: 'Mindestkonfidenz von Duplikaten.',
  ISSUE_OUTLIERS: 'Quartilsabstände über dem dritten Quartil der Nachbarabstände, ab denen ein Bild ein Ausreißer ist.',
  EXPORT_MAX_ITEMS: 'Höchstzahl der Elemente eines Exports.',
  EXPORT_MAX_IMAGES: 'Höchstzahl der Elemente eines Exports mit Bildern.',
  EXPORT_DAYS:
    'Tage, nach denen ein Export gelöscht wird. Zeit, in der die App nicht läuft, zählt als höchstens ein Tag.',
  EXPORT_MOST: 'Höchstzahl der je Datensatz gespeicherten Exporte.',
  SESSION_IDLE_MINUTES: 'Minuten ohne Nutzung, nach denen eine Sitzung endet.',
  CALLS_PER_USER: 'Höchstzahl gleichzeitiger Aufrufe eines Kontos auf einem Server mit Konten.',
  TASKS_PER_USER: 'Höchstzahl wartender oder laufender Aufgaben eines Kontos auf einem Server mit Konten.',
  SESSION_HOURS: 'Längste Dauer einer Sitzung in Stunden.',
  METRICS_KEY:
    'Schlüssel, den Überwachungsprogramme als Bearer-Token senden, um unter /metrics Prometheus-Metriken zu lesen; leer: keine Metriken.',
  OPENED_FOLDERS:
    'Ordner des Servers, die Benutzer für Medien, Modelle und Sicherungen nennen dürfen, einer je Zeile; leer: alle, solange die Anmeldung ausgeschaltet ist, sonst keiner.',
  ALLOWED_ORIGINS:
    'Ursprünge anderer Webseiten, die die API mit der Sitzung eines Benutzers aufrufen dürfen, etwa https://tools.example.org, durch Leerzeichen getrennt.',
  EMBED_ORIGINS:
    'Ursprünge von Webseiten, die die App in einem Rahmen zeigen dürfen, etwa http://localhost:8888 eines Notebooks, durch Leerzeichen getrennt.',
  AUDIT_DAYS: 'Tage, nach denen Einträge des Prüfprotokolls gelöscht werden.',
  SCRUB_DAYS:
    'Tage, nach denen alle gespeicherten Daten und die letzte Sicherung im Hintergrund erneut gelesen und mit ihren Prüfsummen verglichen werden; 0: nie.',
  SCRUB_MB_PER_SECOND: 'Megabyte je Sekunde, die die Prüfung im Hintergrund im Mittel liest.',
  BACKUP_FOLDER: 'Ordner der Sicherungen, wenn keiner genannt ist.',
};
