"""The table of libraries: which call has which effect. To describe a library is to add rows here.

A row names an effect (a role, perhaps a kind, perhaps a particular in brackets; see `effects`), a package, and the
calls in it; indented lines continue it. Names are found by their full path first, then by package and last name (so
that `sklearn.cross_validation.train_test_split` of old is found too), then, where the import is not in sight, by the
last name alone.
"""

from __future__ import annotations

CALLS = """\
# scikit-learn: what is fitted
transformer scale | sklearn | StandardScaler MinMaxScaler MaxAbsScaler RobustScaler PowerTransformer
    QuantileTransformer KernelCenterer
transformer discretise | sklearn | KBinsDiscretizer SplineTransformer
transformer impute | sklearn | SimpleImputer Imputer KNNImputer IterativeImputer
transformer encode | sklearn | OneHotEncoder OrdinalEncoder LabelEncoder LabelBinarizer MultiLabelBinarizer
    DictVectorizer
transformer target_encode supervised | sklearn | TargetEncoder
transformer vectorise | sklearn | CountVectorizer TfidfVectorizer TfidfTransformer
transformer project | sklearn | PCA IncrementalPCA KernelPCA SparsePCA MiniBatchSparsePCA TruncatedSVD NMF FastICA
    FactorAnalysis LatentDirichletAllocation DictionaryLearning TSNE Isomap LocallyLinearEmbedding MDS
    SpectralEmbedding RBFSampler Nystroem GaussianRandomProjection BernoulliRBM NeighborhoodComponentsAnalysis
transformer select supervised | sklearn | SelectKBest SelectPercentile SelectFpr SelectFdr SelectFwe
    GenericUnivariateSelect RFE RFECV SelectFromModel SequentialFeatureSelector
transformer variance | sklearn | VarianceThreshold
stateless | sklearn | Normalizer Binarizer FunctionTransformer PolynomialFeatures HashingVectorizer FeatureHasher
    AdditiveChi2Sampler SparseRandomProjection
grouper cluster | sklearn | KMeans MiniBatchKMeans DBSCAN AgglomerativeClustering SpectralClustering MeanShift Birch
    OPTICS AffinityPropagation GaussianMixture BayesianGaussianMixture FeatureAgglomeration BisectingKMeans HDBSCAN
grouper outlier | sklearn | IsolationForest LocalOutlierFactor OneClassSVM EllipticEnvelope
grouper outlier | pyod | ABOD AutoEncoder CBLOF COF COPOD DeepSVDD ECOD FeatureBagging HBOS IForest INNE KNN LOCI LODA
    LOF LSCP MCD OCSVM PCA ROD SOD SUOD VAE
model | sklearn | LogisticRegression LogisticRegressionCV LinearRegression Ridge RidgeCV Lasso LassoCV LassoLars
    LassoLarsCV LassoLarsIC Lars LarsCV ElasticNet ElasticNetCV MultiTaskLasso MultiTaskElasticNet SGDClassifier
    SGDRegressor Perceptron PassiveAggressiveClassifier PassiveAggressiveRegressor RidgeClassifier RidgeClassifierCV
    BayesianRidge ARDRegression HuberRegressor RANSACRegressor TheilSenRegressor OrthogonalMatchingPursuit
    TweedieRegressor PoissonRegressor GammaRegressor QuantileRegressor SVC NuSVC LinearSVC SVR NuSVR LinearSVR
    DecisionTreeClassifier DecisionTreeRegressor ExtraTreeClassifier ExtraTreeRegressor RandomForestClassifier
    RandomForestRegressor ExtraTreesClassifier ExtraTreesRegressor GradientBoostingClassifier
    GradientBoostingRegressor HistGradientBoostingClassifier HistGradientBoostingRegressor AdaBoostClassifier
    AdaBoostRegressor KNeighborsClassifier KNeighborsRegressor RadiusNeighborsClassifier RadiusNeighborsRegressor
    NearestCentroid GaussianNB MultinomialNB BernoulliNB ComplementNB CategoricalNB MLPClassifier MLPRegressor
    LinearDiscriminantAnalysis QuadraticDiscriminantAnalysis GaussianProcessClassifier GaussianProcessRegressor
    KernelRidge PLSRegression PLSCanonical CCA IsotonicRegression DummyClassifier DummyRegressor LabelPropagation
    LabelSpreading
wrapper | sklearn | OneVsRestClassifier OneVsOneClassifier OutputCodeClassifier MultiOutputClassifier
    MultiOutputRegressor ClassifierChain RegressorChain CalibratedClassifierCV BaggingClassifier BaggingRegressor
    VotingClassifier VotingRegressor StackingClassifier StackingRegressor TransformedTargetRegressor
    SelfTrainingClassifier FrozenEstimator TunedThresholdClassifierCV FixedThresholdClassifier
pipeline | sklearn | Pipeline make_pipeline ColumnTransformer make_column_transformer FeatureUnion make_union
search | sklearn | GridSearchCV RandomizedSearchCV HalvingGridSearchCV HalvingRandomSearchCV
splitter (rows) | sklearn | KFold StratifiedKFold ShuffleSplit StratifiedShuffleSplit RepeatedKFold
    RepeatedStratifiedKFold LeaveOneOut LeavePOut
splitter (groups) | sklearn | GroupKFold StratifiedGroupKFold GroupShuffleSplit LeaveOneGroupOut LeavePGroupsOut
    PredefinedSplit
splitter (time) | sklearn | TimeSeriesSplit
# scikit-learn: functions
split | sklearn | train_test_split
split (part by part) | skmultilearn | iterative_train_test_split
cross_validate | sklearn | cross_val_score cross_validate cross_val_predict learning_curve validation_curve
    permutation_test_score
metric (accuracy) | sklearn | accuracy_score zero_one_loss hamming_loss
metric | sklearn | balanced_accuracy_score f1_score fbeta_score precision_score recall_score roc_auc_score
    average_precision_score log_loss brier_score_loss cohen_kappa_score matthews_corrcoef classification_report
    confusion_matrix multilabel_confusion_matrix precision_recall_fscore_support jaccard_score hinge_loss ndcg_score
    dcg_score top_k_accuracy_score mean_squared_error root_mean_squared_error mean_absolute_error
    mean_absolute_percentage_error median_absolute_error mean_squared_log_error r2_score explained_variance_score
    max_error mean_poisson_deviance mean_gamma_deviance mean_tweedie_deviance mean_pinball_loss d2_tweedie_score
    plot_confusion_matrix plot_roc_curve plot_precision_recall_curve class_likelihood_ratios geometric_mean_score
    classification_report_imbalanced sensitivity_specificity_support
metric | scikitplot | plot_roc plot_roc_curve plot_precision_recall plot_precision_recall_curve plot_confusion_matrix
    plot_ks_statistic plot_cumulative_gain plot_lift_curve plot_calibration_curve
curve | sklearn | roc_curve precision_recall_curve det_curve
length | sklearn | auc silhouette_score calinski_harabasz_score davies_bouldin_score adjusted_rand_score
    compute_class_weight compute_sample_weight
learn scale | sklearn | scale minmax_scale maxabs_scale robust_scale power_transform quantile_transform
learn encode | sklearn | label_binarize
same | sklearn | normalize binarize add_dummy_feature check_array check_X_y column_or_1d
statistic correlation supervised | sklearn | f_classif f_regression chi2 mutual_info_classif mutual_info_regression
    r_regression permutation_importance
shuffle | sklearn | shuffle
sample (resample) | sklearn | resample
clone | sklearn | clone
read_pair | sklearn | load_iris load_digits load_wine load_breast_cancer load_diabetes load_boston
    fetch_california_housing fetch_20newsgroups fetch_openml fetch_covtype fetch_olivetti_faces fetch_lfw_people
    fetch_20newsgroups_vectorized load_files load_linnerud fetch_mldata load_svmlight_file make_classification
    make_regression make_blobs make_moons make_circles make_friedman1 make_gaussian_quantiles make_hastie_10_2
    make_multilabel_classification make_sparse_uncorrelated make_low_rank_matrix make_swiss_roll make_s_curve
# feature selection and encoders elsewhere
transformer select supervised | boruta | BorutaPy
transformer select supervised | mlxtend | SequentialFeatureSelector ExhaustiveFeatureSelector
transformer select supervised | feature_engine | DropCorrelatedFeatures SmartCorrelatedSelection SelectByShuffling
    SelectBySingleFeaturePerformance RecursiveFeatureElimination
transformer target_encode supervised | category_encoders | TargetEncoder LeaveOneOutEncoder CatBoostEncoder
    JamesSteinEncoder MEstimateEncoder WOEEncoder GLMMEncoder QuantileEncoder SummaryEncoder
transformer encode | category_encoders | OneHotEncoder OrdinalEncoder BinaryEncoder BaseNEncoder
    HelmertEncoder BackwardDifferenceEncoder PolynomialEncoder SumEncoder RankHotEncoder GrayEncoder
transformer statistic | category_encoders | CountEncoder
stateless | category_encoders | HashingEncoder
transformer target_encode supervised | feature_engine | MeanEncoder WoEEncoder DecisionTreeEncoder
    DecisionTreeDiscretiser
transformer impute | feature_engine | MeanMedianImputer CategoricalImputer EndTailImputer RandomSampleImputer
transformer impute | fancyimpute | KNN IterativeSVD SoftImpute IterativeImputer BiScaler MICE
transformer impute | missingpy | MissForest KNNImputer
transformer project | umap | UMAP
transformer project | prince | MCA CA FAMD PCA
pipeline | sklearn_pandas | DataFrameMapper
transformer vectorise | tokenizers | Tokenizer BertWordPieceTokenizer ByteLevelBPETokenizer CharBPETokenizer
    SentencePieceBPETokenizer
transformer vectorise | gensim | Word2Vec FastText Doc2Vec Phrases TfidfModel LdaModel LsiModel Dictionary
learn statistic | featuretools | dfs
stateless | featuretools | EntitySet
# imbalanced-learn
resampler oversample | imblearn | SMOTE SMOTENC SMOTEN BorderlineSMOTE SVMSMOTE KMeansSMOTE ADASYN SMOTEENN
    SMOTETomek
resampler copy | imblearn | RandomOverSampler
resampler undersample | imblearn | RandomUnderSampler NearMiss TomekLinks EditedNearestNeighbours
    RepeatedEditedNearestNeighbours AllKNN ClusterCentroids CondensedNearestNeighbour InstanceHardnessThreshold
    NeighbourhoodCleaningRule OneSidedSelection
resampler oversample | smote_variants | SMOTE ADASYN Borderline_SMOTE1 Borderline_SMOTE2 SMOTE_ENN SMOTE_TomekLinks
    Safe_Level_SMOTE SVM_balance kmeans_SMOTE ProWSyn polynom_fit_SMOTE G_SMOTE MWMOTE DBSMOTE CCR SMOTE_IPF SMOBD
    LVQ_SMOTE MulticlassOversampling distance_SMOTE SMOTE_D SMOTE_RSB CURE_SMOTE Gaussian_SMOTE SMOTE_OUT SMOTE_Cosine
    Selected_SMOTE LN_SMOTE MSMOTE Lee ANS NRSBoundary_SMOTE Assembled_SMOTE cluster_SMOTE NRAS AMSCO SOMO SYMPROD
resampler oversample | adasyn | ADASYN
pipeline | imblearn | Pipeline make_pipeline
model | imblearn | BalancedRandomForestClassifier EasyEnsembleClassifier RUSBoostClassifier
wrapper | imblearn | BalancedBaggingClassifier
generator oversample | ctgan | CTGAN CTGANSynthesizer TVAE TVAESynthesizer
generator oversample | sdv | GaussianCopula CTGAN TVAE CopulaGAN GaussianCopulaSynthesizer CTGANSynthesizer
    TVAESynthesizer CopulaGANSynthesizer
# boosting libraries
model | xgboost | XGBClassifier XGBRegressor XGBRFClassifier XGBRFRegressor XGBRanker
model | lightgbm | LGBMClassifier LGBMRegressor LGBMRanker
model (best on eval_set) | catboost | CatBoostClassifier CatBoostRegressor CatBoost CatBoostRanker
model | ngboost | NGBClassifier NGBRegressor
stack | xgboost | DMatrix QuantileDMatrix
stack | lightgbm | Dataset
stack | catboost | Pool
train | xgboost | train
train | lightgbm | train
train | catboost | train
cross_validate (no estimator) | xgboost | cv
cross_validate (no estimator) | lightgbm | cv
cross_validate (no estimator) | catboost | cv
stopper | lightgbm | early_stopping
stopper | xgboost | EarlyStopping
search | skopt | BayesSearchCV
search | tpot | TPOTClassifier TPOTRegressor
model (side by side) | lazypredict | LazyClassifier LazyRegressor
model | autosklearn | AutoSklearnClassifier AutoSklearnRegressor
train (first) | nltk | train
wrapper | nltk | SklearnClassifier
metric (accuracy) | nltk | accuracy
metric | nltk | sentence_bleu corpus_bleu single_meteor_score meteor_score
wrapper | mlxtend | StackingClassifier StackingCVClassifier StackingRegressor EnsembleVoteClassifier
# measurements of several laboratories made alike
learn scale | combat | pycombat
learn scale | neuroCombat | neuroCombat
learn scale | inmoose | pycombat_norm pycombat_seq
# pyspark: a fitted model transforms rows into predictions
model (transforms) | pyspark | LogisticRegression RandomForestClassifier GBTClassifier DecisionTreeClassifier NaiveBayes
    LinearSVC MultilayerPerceptronClassifier LinearRegression GeneralizedLinearRegression RandomForestRegressor
    GBTRegressor DecisionTreeRegressor IsotonicRegression FMClassifier FMRegressor OneVsRest ALS
pipeline (transforms) | pyspark | Pipeline
search (transforms) | pyspark | CrossValidator TrainValidationSplit
transformer scale | pyspark | StandardScaler MinMaxScaler MaxAbsScaler RobustScaler
transformer impute | pyspark | Imputer
transformer encode | pyspark | StringIndexer OneHotEncoder OneHotEncoderEstimator VectorIndexer
transformer vectorise | pyspark | CountVectorizer IDF Word2Vec
transformer project | pyspark | PCA
transformer select supervised | pyspark | ChiSqSelector UnivariateFeatureSelector
transformer discretise | pyspark | QuantileDiscretizer
stateless | pyspark | VectorAssembler Tokenizer RegexTokenizer StopWordsRemover HashingTF NGram Normalizer Bucketizer
    IndexToString PolynomialExpansion SQLTransformer
loss | pyspark | BinaryClassificationEvaluator MulticlassClassificationEvaluator RegressionEvaluator
# statsmodels
model (data in the constructor) | statsmodels | OLS WLS GLS Logit Probit GLM MNLogit Poisson ARIMA SARIMAX AutoReg
    VAR ExponentialSmoothing SimpleExpSmoothing Holt ols logit glm poisson
train (orders) | pmdarima | auto_arima
train (orders) | statsmodels | arma_order_select_ic
model | prophet | Prophet
model | fbprophet | Prophet
cross_validate (fitted) | prophet | cross_validation
cross_validate (fitted) | fbprophet | cross_validation
same | statsmodels | add_constant
learn statistic | statsmodels | seasonal_decompose
statistic correlation | statsmodels | variance_inflation_factor
# scipy
learn scale | scipy | zscore whiten
learn outlier | scipy | winsorize
learn scale | scipy | boxcox yeojohnson
statistic correlation supervised | scipy | pearsonr spearmanr kendalltau pointbiserialr ttest_ind f_oneway
    chi2_contingency mannwhitneyu
statistic statistic | scipy | iqr mode
stack | scipy | hstack
concat | scipy | vstack
same | scipy | csr_matrix csc_matrix coo_matrix expit logit
# torch
network | torch | Sequential
layer | torch | Module
stack | torch | TensorDataset DataLoader
split_at (random) | torch | random_split
take (positions) | torch | Subset SubsetRandomSampler WeightedRandomSampler
concat | torch | cat vstack ConcatDataset
stack | torch | hstack stack
same | torch | tensor from_numpy FloatTensor LongTensor Tensor as_tensor DoubleTensor max argmax sigmoid softmax
    round squeeze unsqueeze flatten sum
positions | torch | randperm arange
positions (where) | torch | where nonzero argwhere
blank | torch | zeros ones empty zeros_like ones_like empty_like
loss | keras | MeanSquaredError MeanAbsoluteError MeanSquaredLogarithmicError BinaryCrossentropy Huber KLDivergence
    CategoricalCrossentropy SparseCategoricalCrossentropy BinaryFocalCrossentropy CategoricalFocalCrossentropy Poisson
loss | torch | CrossEntropyLoss MSELoss L1Loss SmoothL1Loss HuberLoss BCELoss BCEWithLogitsLoss NLLLoss KLDivLoss
    PoissonNLLLoss GaussianNLLLoss HingeEmbeddingLoss MultiLabelSoftMarginLoss SoftMarginLoss MultiMarginLoss
    MultiLabelMarginLoss CTCLoss
read (model) | torch | load
store (model) | torch | save
compare | torch | eq ne equal
statistic encode | torch | bincount
metric | torch | cross_entropy mse_loss l1_loss nll_loss binary_cross_entropy binary_cross_entropy_with_logits
read | torchvision | MNIST FashionMNIST CIFAR10 CIFAR100 ImageFolder SVHN STL10 KMNIST EMNIST DatasetFolder
network | torchvision | resnet18 resnet34 resnet50 resnet101 resnet152 vgg16 vgg19 alexnet densenet121 mobilenet_v2
    efficientnet_b0
pipeline | torchvision | Compose
stateless augment | torchvision | RandomHorizontalFlip RandomVerticalFlip RandomRotation ColorJitter
    RandomResizedCrop RandomCrop RandomAffine RandomPerspective RandomGrayscale RandomInvert RandomPosterize
    RandomSolarize RandomAdjustSharpness RandomAutocontrast RandomEqualize RandomErasing RandAugment AutoAugment
    TrivialAugmentWide GaussianBlur
stateless | torchvision | ToTensor Normalize Resize CenterCrop ToPILImage Grayscale Pad
pipeline | albumentations | Compose OneOf SomeOf Sequential
stateless augment | albumentations | HorizontalFlip VerticalFlip Flip RandomRotate90 Rotate ShiftScaleRotate
    RandomBrightnessContrast HueSaturationValue CLAHE RandomCrop RandomResizedCrop RandomPerspective
    ElasticTransform GridDistortion GaussNoise GaussianBlur CoarseDropout RandomGamma Affine Perspective
    RandomSolarize RandomEqualize ColorJitter Transpose
stateless | albumentations | Resize Normalize ToTensorV2 CenterCrop PadIfNeeded
stateless augment | imgaug | Sequential Fliplr Flipud Affine SomeOf
# keras and tf.data
network | keras | Sequential Model
network | keras | KerasClassifier KerasRegressor
model (best on eval_set) | pytorch_tabnet | TabNetClassifier TabNetRegressor TabNetMultiTaskClassifier
network (best on eval_set) | keras_tuner | RandomSearch Hyperband BayesianOptimization GridSearch
network (session) | keras | Session InteractiveSession
stopper | keras | EarlyStopping ModelCheckpoint ReduceLROnPlateau
transformer vectorise | keras | Tokenizer TextVectorization
transformer scale | keras | Normalization
transformer encode | keras | StringLookup IntegerLookup
stateless augment | keras | ImageDataGenerator
compare | keras | equal not_equal
clone | keras | clone_model
read (model) | keras | load_model
store (model) | keras | save_model
same | keras | to_categorical pad_sequences
read | keras | image_dataset_from_directory text_dataset_from_directory
read | keras | glob listdir
explode window (sequence) | keras | timeseries_dataset_from_array TimeseriesGenerator
stack | keras | from_tensor_slices from_tensors
read_parts | tensorflow_datasets | load
# transformers and datasets
read (hub) | datasets | load_dataset load_from_disk DatasetDict
same | datasets | from_pandas from_dict
concat | datasets | concatenate_datasets
network (trainer) | transformers | Trainer Seq2SeqTrainer
stopper | transformers | EarlyStoppingCallback TrainingArguments Seq2SeqTrainingArguments
network (trainer) | pytorch_lightning | Trainer
stopper | pytorch_lightning | EarlyStopping ModelCheckpoint
# survival networks
network | pycox | CoxPH CoxCC CoxTime DeepHit DeepHitSingle LogisticHazard PMF MTLR BCESurv PCHazard
metric | pycox | EvalSurv
stopper | torchtuples | EarlyStopping BestWeights
# pandas
read | pandas | read_csv read_table read_excel read_json read_parquet read_feather read_pickle read_sql
    read_sql_query read_html read_hdf read_stata read_spss read_sas read_orc read_fwf read_clipboard read_gbq
concat | pandas | concat
merge | pandas | merge merge_asof merge_ordered
learn encode | pandas | get_dummies factorize
cut | pandas | cut
learn discretise | pandas | qcut
to_time | pandas | to_datetime DatetimeIndex PeriodIndex
same | pandas | DataFrame from_dict from_records Series to_numeric isnull isna notnull notna melt Categorical Index
statistic statistic | pandas | pivot_table crosstab
# polars
read | polars | read_csv scan_csv read_parquet scan_parquet read_json read_excel read_ipc read_ndjson scan_ndjson
    read_database
concat | polars | concat
same | polars | DataFrame Series LazyFrame from_pandas
# numpy
read | numpy | load loadtxt genfromtxt fromfile
read | scipy | loadmat
explode window | numpy | sliding_window_view
explode window (overlap) | mne | make_fixed_length_epochs
explode window (step) | librosa | frame
explode window (step) | skimage | view_as_windows
explode window (step) | patchify | patchify
statistic statistic | numpy | mean median std var percentile quantile nanmean nanmedian nanstd nanvar nanpercentile
    nanquantile min max amin amax nanmin nanmax average ptp histogram
compare | numpy | equal not_equal logical_and
statistic encode | numpy | unique bincount
statistic correlation | numpy | corrcoef cov
same | numpy | sum any all count_nonzero
concat | numpy | concatenate vstack append row_stack
stack | numpy | hstack column_stack c_ stack dstack
split_at | numpy | split array_split vsplit
read | numpy | rand randn random normal uniform multivariate_normal standard_normal random_sample poisson binomial
    randint integers
positions | numpy | arange permutation choice
positions (where) | numpy | where nonzero flatnonzero argwhere
positions (order) | numpy | argsort
is_in (function) | numpy | isin in1d
delete | numpy | delete
remainder | numpy | setdiff1d
positions | random | sample
shuffle (in place) | random | shuffle
shuffle (in place) | numpy | shuffle
length | numpy | linspace logspace shape seed
blank | numpy | zeros ones empty zeros_like ones_like empty_like
explode copy | numpy | repeat tile
# the standard library
statistic encode | collections | Counter
statistic encode | nltk | FreqDist
read | glob | glob iglob
read | os | listdir walk scandir
read | pickle | load loads
read | json | load
read | joblib | load
read | dill | load
read | cloudpickle | load
store (array) | numpy | save
store (arrays) | numpy | savez savez_compressed
store | pickle | dump
store | joblib | dump
store | dill | dump
store | cloudpickle | dump
read | seaborn | load_dataset
plain | warnings | filterwarnings simplefilter warn
"""

LOADERS_OF_PARTS = ("mnist", "fashion_mnist", "cifar10", "cifar100", "imdb", "reuters", "boston_housing",
                    "california_housing")  # fmt: skip
"""Modules of keras.datasets: `load_data` gives a training and a test part."""

SCORED_PICTURES = ("ConfusionMatrixDisplay", "RocCurveDisplay", "PrecisionRecallDisplay", "DetCurveDisplay",
                   "CalibrationDisplay", "PredictionErrorDisplay")  # fmt: skip
"""Pictures of scikit-learn that tell how good a model is, made of it or of what it says."""

METHODS = """\
# of tables and columns (pandas, polars, numpy, torch, tf.data, datasets)
statistic statistic | mean median mode std var quantile min max skew kurt kurtosis sem mad describe agg aggregate
    idxmin idxmax null_count
statistic correlation supervised | corr corrwith cov
statistic encode | value_counts unique nunique
length | keys tolist_columns info head_columns memory_usage __len__ size item_count ndim plot hist boxplot savefig show
    count
length | suggest_float suggest_int suggest_categorical suggest_uniform suggest_loguniform suggest_discrete_uniform
store (table) | to_csv to_excel to_parquet to_pickle to_feather write_csv write_parquet
fill impute | fillna fill_null fill_nan ffill bfill pad backfill interpolate
learn scale | rank
drop | drop
pop | pop
sample | sample sampleBy
group_by | groupby group_by
merge | merge join
concat | append concat concatenate vstack union unionAll unionByName _append
shift | shift diff pct_change
rolling | rolling ewm rolling_mean expanding
to_time | to_datetime resample asfreq tz_localize tz_convert
compare | eq ne equal
index_by | set_index
sort | sort_values sort sort_index
explode explode | explode
explode copy | repeat
explode window (shift) | window
explode window (along) | unfold
deduplicate | drop_duplicates
drop_gaps | dropna
is_in | isin is_in
is_in (between) | between is_between
pick_types | select_dtypes filter select
assign | assign with_columns
insert | insert
rename | rename alias
take | take head
take (last) | tail
take (query) | query
take (labels) | xs reindex get_group
take (extreme) | nlargest nsmallest truncate first last
remainder | difference
remainder (table) | subtract exceptAll
skip | skip tail_from
shuffle (each pass) | shuffle
shuffle (kept) | cache snapshot
split_named | train_test_split
split_at (weights) | randomSplit
align | align
learn encode | get_dummies to_dummies factorize
"""
"""Methods of tables and columns (pandas, polars, numpy, torch, tf.data, datasets)."""

GROUPED_METHODS = """\
statistic statistic | mean median std var min max sum first last nth agg aggregate quantile size count nunique
    describe value_counts sem mode
transform_groups statistic | transform apply map rank
transform_groups encode | ngroup
fill impute | fillna ffill bfill interpolate
shift | shift diff pct_change cumsum cumcount cumprod
rolling | rolling ewm expanding
sample | sample
"""
"""Methods of what `groupby` gives."""

ENDINGS = """\
transformer scale | Scaler Standardizer
transformer impute | Imputer
transformer encode | Encoder Binarizer Tokenizer
transformer discretise | Discretizer Discretiser
transformer vectorise | Vectorizer
transformer select supervised | Selector
model | Classifier Regressor Regression ClassifierCV RegressorCV Forest SVM
transformer | Transformer Preprocessor
"""
"""What the name of a class of an unknown library gives away; what nobody describes is fitted and then applied."""

MEASURES = """\
mse rmse mae mape smape rmsle msle wape mase nrmse rrmse rmspe meanabs medianabs medae r2 r_squared rsquared auc auroc
roc_auc auprc f1 fscore iou dice mcc kappa accuracy acc c_index cindex concordance_index concordance_index_censored
bleu_score rouge gini nse kge
"""
"""Functions of libraries that nobody describes, or of modules out of sight, whose name says that they score."""

ALIASES = {
    "pd": "pandas", "np": "numpy", "pl": "polars", "tf": "tensorflow", "xgb": "xgboost", "lgb": "lightgbm",
    "sm": "statsmodels.api", "smf": "statsmodels.formula.api", "nn": "torch.nn", "F": "torch.nn.functional",
    "plt": "matplotlib.pyplot", "sns": "seaborn", "ce": "category_encoders", "ft": "featuretools", "cb": "catboost",
    "stats": "scipy.stats", "sklearn": "sklearn", "torch": "torch", "keras": "keras", "sp": "scipy",
    "imblearn": "imblearn", "sv": "smote_variants", "metrics": "sklearn.metrics",
    "preprocessing": "sklearn.preprocessing", "kt": "keras_tuner",
}  # fmt: skip
"""What a name means by custom, where the import is not in sight (a cell that does not parse, a snippet)."""

SAME_PACKAGE = {"tensorflow": "keras", "tf_keras": "keras", "cuml": "sklearn", "sklearnex": "sklearn",
                 "modin": "pandas", "kerastuner": "keras_tuner", "autograd": "numpy", "cPickle": "pickle",
                 "cudf": "pandas", "dask_ml": "sklearn", "pytorch_lightning": "pytorch_lightning",
                 "lightning": "pytorch_lightning", "torchtext": "torchvision", "jax": "numpy", "cupy": "numpy",
                **dict.fromkeys(("cross_validation", "model_selection", "preprocessing", "metrics", "linear_model",
                                 "ensemble", "svm", "tree", "naive_bayes", "neighbors", "decomposition",
                                 "feature_selection", "feature_extraction", "pipeline", "impute", "grid_search",
                                 "neural_network", "discriminant_analysis"), "sklearn")}  # fmt: skip
ITEM_BY_ITEM = frozenset(
    {"PIL", "cv2", "skimage", "imageio", "tifffile", "pydicom", "nibabel", "SimpleITK", "librosa", "soundfile",
     "torchaudio", "python_speech_features", "wave", "albumentations", "rasterio", "openslide", "rdkit", "Bio"}
)  # fmt: skip
"""Packages that read and change one picture, sound or molecule at a time: whose row it is stays as it was."""
AMBIGUOUS = frozenset(
    {"train", "cv", "load", "loads", "dump", "open", "Dataset", "split", "append", "max", "min", "sum", "mode", "round",
     "Model", "shuffle", "normalize", "mean", "KNN", "CA", "choice", "stack", "full", "select", "logit",
     "poisson", "glm", "repeat", "tile", "Dictionary", "Module", "Trainer", "Series", "tensor", "cat", "auc",
     "Index", "Sequential_", "average", "var", "cut", "merge", "concat", "empty", "flatten", "shape", "seed",
     "unique", "iqr", "frame", "BayesianOptimization", "GridSearch", "RandomSearch", "save", "Session", "PMF"}
)  # fmt: skip
"""Names too common to be recognised without their package."""
